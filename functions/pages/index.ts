import { createAuth } from '../../src/accounts/people/auth.ts'
import { queueAlone } from '../../src/accounts/people/send-mail.ts'
import { sessionSecrets } from '../../src/accounts/people/session-cookie.ts'
import { sessionBy } from '../../src/pages/signin/session.ts'
import { twoEntrypoints } from '../../src/platform/http/worker.ts'
import {
  parseCrowdworkSettings,
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseMailWebhook,
  parseSocialSettings,
  parseStripeSettings,
  parseStripeWebhook,
} from '../../src/platform/runtime/provider-env.ts'
import { mainContentThrough } from '../../src/providers/browser-client/index.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { keywordProviders } from '../../src/providers/data.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { connectionForms, targetFactory } from '../../src/providers/publishing.ts'
import { socialServices } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { sendRewrite } from '../../src/publishing/live/rewrite.ts'
import { pagesApp } from './app.tsx'

type Env = Record<string, unknown> & { CMS: CmsBinding; ASSETS: Fetcher; BROWSER: Fetcher }

/** Returns the settings of the providers that check saved keys. This Worker has no account of the service's own. */
const providersIn = ({ AHREFS_URL, DATAFORSEO_URL, SANDBOX_PROVIDERS }: Record<string, unknown>) => ({
  AHREFS_URL,
  DATAFORSEO_URL,
  SANDBOX_PROVIDERS,
})

const { open, internal } = twoEntrypoints<Env>({ name: 'pages', seals: true }, (deps, env) => {
  const { db, settings } = deps
  const secrets = sessionSecrets(settings.secretsKeys)
  const auth = createAuth({
    db,
    publicUrl: settings.publicUrl,
    serviceName: settings.serviceName,
    secret: secrets[0],
    queueMail: (mail, until, id) => queueAlone(deps, mail, until, id),
  })
  const paying = parseStripeSettings(env)
  const targets = targetFactory(deps, env.CMS, mainContentThrough(env.BROWSER))
  return pagesApp({
    deps,
    auth,
    sessionOf: sessionBy(auth, db),
    secrets,
    sendsMail: parseMailSettings(env).isSetUp,
    providers: keywordProviders(deps, parseKeywordSettings(providersIn(env))),
    targets,
    sendSync: sendRewrite(targets),
    forms: connectionForms,
    google: googleSearchConsole(deps, parseGoogleSettings(env)),
    crowd: microworkers(deps, parseCrowdworkSettings(env)),
    ...socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env)),
    payments: paying && stripe(paying, deps),
    webhookSecret: parseStripeWebhook(env),
    mailSecret: parseMailWebhook(env),
    readAsset: (name) => env.ASSETS.fetch(`http://assets/${name}`),
  })
})

export { internal }
export default open
