import { endSubscription } from '../../src/accounts/billing/subscription.ts'
import { disconnectAll } from '../../src/insights/search/connect.ts'
import { runsWorker } from '../../src/platform/jobs/runs-worker.ts'
import { depsFrom } from '../../src/platform/runtime/deps.ts'
import {
  parseCrowdworkSettings,
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
} from '../../src/platform/runtime/provider-env.ts'
import { browserClient } from '../../src/providers/browser-client/index.ts'
import { siteWords } from '../../src/providers/data/site-keywords/index.ts'
import { keywordProviders } from '../../src/providers/data.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { mailerOf } from '../../src/providers/mail.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { postWriterClient } from '../../src/providers/models/writer-client/index.ts'
import { socialServices } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { withdrawAll } from '../../src/reach/social/accounts.ts'
import { checksOf } from './checks.ts'
import { registry } from './registry.ts'

type Env = Record<string, unknown> & { WRITER: { fetch: typeof fetch }; BROWSER: { fetch: typeof fetch } }

export default runsWorker<Env>((env) => {
  const deps = depsFrom(env, { name: 'background', seals: true })
  const paying = parseStripeSettings(env)
  const payments = paying && stripe(paying, deps)
  const google = googleSearchConsole(deps, parseGoogleSettings(env))
  const mailer = mailerOf(parseMailSettings(env), deps.outbound, env.EMAIL)
  const { social, profiles } = socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env))
  return {
    deps,
    registry: registry({
      social,
      profiles,
      crowd: microworkers(deps, parseCrowdworkSettings(env)),
      keywords: { words: siteWords, providers: keywordProviders(deps, parseKeywordSettings(env)) },
      posts: postWriterClient(env.WRITER),
      browser: browserClient(env.BROWSER),
      mailer,
      checks: checksOf(env, deps, mailer, google),
      endOutside: async (ctx, accountId) => {
        if (payments) await endSubscription(ctx, payments, accountId)
        await disconnectAll(ctx, google, accountId)
        await withdrawAll(ctx, social, accountId)
      },
    }),
  }
})
