import { endSubscription } from '../../src/billing/buy.ts'
import { answerRun } from '../../src/jobs/background.ts'
import type { Registry } from '../../src/jobs/define.ts'
import { browserClient, mainContentThrough } from '../../src/providers/browser-client/index.ts'
import { answerEngines } from '../../src/providers/engines.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { keywordProviders } from '../../src/providers/keywords.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { resend } from '../../src/providers/resend/index.ts'
import { siteWords } from '../../src/providers/site-keywords/index.ts'
import { socialWays } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { writerClient } from '../../src/providers/writer-client/index.ts'
import { postWriterClient } from '../../src/providers/writer-client/posts.ts'
import type { Deps } from '../../src/runtime/ctx.ts'
import { depsFrom } from '../../src/runtime/deps.ts'
import {
  parseCrowdworkSettings,
  parseEngineModels,
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
} from '../../src/runtime/env.ts'
import { errorFields } from '../../src/runtime/log.ts'
import { traced } from '../../src/runtime/traced.ts'
import { disconnectAll } from '../../src/search/disconnect-all.ts'
import { withdrawAll } from '../../src/social/withdraw.ts'
import { registry } from './registry.ts'

type Env = Record<string, unknown> & { WRITER: { fetch: typeof fetch }; BROWSER: { fetch: typeof fetch } }

let built: { deps: Deps; registry: Registry } | undefined

const build = (env: Env) => {
  const deps = depsFrom(env, { name: 'background', seals: true })
  const paying = parseStripeSettings(env)
  const payments = paying && stripe(paying)
  const google = googleSearchConsole(deps, parseGoogleSettings(env))
  const { social } = socialWays(deps, parseSocialSettings(env), parseGoogleSettings(env))
  return {
    deps,
    registry: registry({
      social,
      crowd: microworkers(deps, parseCrowdworkSettings(env)),
      google,
      engines: answerEngines(deps, parseKeywordSettings(env), parseEngineModels(env)),
      keywords: { words: siteWords, providers: keywordProviders(deps, parseKeywordSettings(env)) },
      writer: writerClient(env.WRITER),
      posts: postWriterClient(env.WRITER),
      browser: browserClient(env.BROWSER),
      send: resend(parseMailSettings(env)),
      mainContent: mainContentThrough(env.BROWSER),
      endOutside: async (ctx, accountId) => {
        if (payments) await endSubscription(ctx, payments, accountId)
        await disconnectAll(ctx, google, accountId)
        await withdrawAll(ctx, social, accountId)
      },
    }),
  }
}

const of = (env: Env) => {
  built ??= build(env)
  return built
}

/** Runs what the jobs Worker asks for, over its service binding. No address leads here. */
export default {
  fetch: traced(async (request, env: Env, ctx) => {
    const { deps, registry } = of(env)
    try {
      return Response.json(await answerRun(deps, registry, await request.json(), (work) => ctx.waitUntil(work)))
    } catch (error) {
      deps.log('error', 'background.failed', errorFields(error))
      return Response.json({ error: 'The run failed.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler<Env>
