import { type Service, sessionThrough } from '../../src/pages/session.ts'
import { httpWorker } from '../../src/platform/http/worker.ts'
import {
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
  parseStripeWebhook,
} from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { keywordProviders } from '../../src/providers/data.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { socialServices } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { connectionForms, targetFactory } from '../../src/providers/targets.ts'
import { accountsApp } from './app.tsx'

/** Returns the settings of the providers that check saved keys. This Worker has no account of the service's own. */
const providersIn = ({ AHREFS_URL, DATAFORSEO_URL, SANDBOX_PROVIDERS }: Record<string, unknown>) => ({
  AHREFS_URL,
  DATAFORSEO_URL,
  SANDBOX_PROVIDERS,
})

export default httpWorker<Record<string, unknown> & { CMS: CmsBinding; SIGNIN: Service }>(
  { name: 'accounts', seals: true },
  (deps, env) => {
    const paying = parseStripeSettings(env)
    return accountsApp({
      deps,
      sessionOf: sessionThrough(env.SIGNIN),
      sendsMail: parseMailSettings(env).isSetUp,
      providers: keywordProviders(deps, parseKeywordSettings(providersIn(env))),
      targets: targetFactory(deps, env.CMS),
      forms: connectionForms,
      google: googleSearchConsole(deps, parseGoogleSettings(env)),
      ...socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env)),
      payments: paying && stripe(paying, deps),
      webhookSecret: parseStripeWebhook(env),
    })
  },
)
