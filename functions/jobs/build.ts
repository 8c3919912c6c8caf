import { endSubscription } from '../../src/accounts/billing/subscription.ts'
import { cardsClient } from '../../src/content/cards/client.ts'
import { returnReservations } from '../../src/content/exchange/commit.ts'
import { disconnectAll } from '../../src/insights/search/connect.ts'
import { createQueue, offerRows, type Queue } from '../../src/platform/jobs/queue.ts'
import { counted } from '../../src/platform/lib/request-scope.ts'
import type { Deps } from '../../src/platform/runtime/ctx.ts'
import { depsFrom } from '../../src/platform/runtime/deps.ts'
import { parseHeartbeat, parseQueueSettings, parseReceiptKeys } from '../../src/platform/runtime/env.ts'
import {
  parseCrowdworkSettings,
  parseEngineModels,
  parseGoogleSettings,
  parseIndexNow,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
  parseVideoSettings,
} from '../../src/platform/runtime/provider-env.ts'
import { browserClient, mainContentThrough } from '../../src/providers/browser-client/index.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { siteWords } from '../../src/providers/data/site-keywords/index.ts'
import { answerEngines, keywordProviders } from '../../src/providers/data.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { indexNow } from '../../src/providers/indexnow/index.ts'
import { mailerOf } from '../../src/providers/mail.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { imageClient, postWriterClient, writerClient } from '../../src/providers/models/writer-client/index.ts'
import { targetFactory } from '../../src/providers/publishing.ts'
import { youtubeSearch } from '../../src/providers/social/youtube/index.ts'
import { socialServices } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { receiptSigner } from '../../src/publishing/signed/keys.ts'
import { withdrawAll } from '../../src/reach/social/accounts.ts'
import { jobsApp, offerApp } from './app.ts'
import { checksOf } from './checks.ts'
import { modelsOfWriter } from './models.ts'
import { type JobDeps, registry } from './registry.ts'

type Inner = { fetch: typeof fetch }
type Env = Record<string, unknown> & {
  WRITER: Inner
  CARDS: Inner
  BROWSER: Inner
  TEXTS: Inner
  CMS: CmsBinding
  /** This Worker itself; absent in tests that build it alone. */
  PLACED?: Inner
}

const providersFrom = (env: Env, deps: Deps): JobDeps => {
  const paying = parseStripeSettings(env)
  const payments = paying && stripe(paying, deps)
  const google = googleSearchConsole(deps, parseGoogleSettings(env))
  const mailer = mailerOf(parseMailSettings(env), deps.outbound, env.EMAIL)
  const { social, profiles } = socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env))
  const writer = writerClient(env.WRITER)
  const engines = answerEngines(deps, parseKeywordSettings(env), parseEngineModels(env))
  return {
    targets: targetFactory(deps, env.CMS, mainContentThrough(env.BROWSER)),
    signer: receiptSigner(parseReceiptKeys(env)),
    indexNow: indexNow(parseIndexNow(env), deps),
    writing: {
      writer,
      pictures: {
        images: imageClient(env.WRITER),
        cards: cardsClient(env.CARDS),
        videos: youtubeSearch(parseVideoSettings(env), deps),
      },
    },
    services: {
      social,
      profiles,
      crowd: microworkers(deps, parseCrowdworkSettings(env)),
      keywords: { words: siteWords, providers: keywordProviders(deps, parseKeywordSettings(env)) },
      posts: postWriterClient(env.WRITER),
      browser: browserClient(env.BROWSER),
      mailer,
      checks: checksOf(env, deps, mailer, google),
      modelsOfWriter: modelsOfWriter(env.WRITER),
      engines,
      endOutside: async (ctx, owner) => {
        if (payments && owner.project === undefined) await endSubscription(ctx, payments, owner.account)
        await disconnectAll(ctx, google, owner)
        await withdrawAll(ctx, social, owner)
        await returnReservations(ctx, owner)
      },
    },
    insights: {
      google,
      engines,
      writer,
      mainContent: mainContentThrough(env.BROWSER),
    },
  }
}

/** Bindings to other Workers. */
const INNER = ['WRITER', 'CARDS', 'BROWSER', 'TEXTS', 'CMS'] as const

/** Builds the Worker's apps and services from its environment. */
export const build = (given: Env) => {
  // Calls over bindings are counted, so that a run ends before the platform's limit.
  const inner = Object.fromEntries(INNER.map((name) => [name, counted(given[name])]))
  const env: Env = Object.assign(Object.create(given), inner)
  const base = depsFrom(env, { name: 'jobs', seals: true, signs: true })
  const deps: Deps = { ...base, wakeQueue: async () => void (await offerRows(base, queue)) }
  const jobs = registry(providersFrom(env, deps))
  const queue: Queue = createQueue(parseQueueSettings(env), deps.settings.publicUrl, new Set(jobs.quick))
  return {
    deps,
    queue,
    heartbeatUrl: parseHeartbeat(env),
    app: jobsApp(deps, queue, jobs),
    offers: offerApp(deps, queue),
  }
}
