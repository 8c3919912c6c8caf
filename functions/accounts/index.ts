import { waitUntil } from 'cloudflare:workers'
import { httpWorker } from '../../src/http/worker.ts'
import { MCP_PATH } from '../../src/mcp/protected-resource.ts'
import { guardClientDocuments } from '../../src/oauth/client-documents.ts'
import { createOAuth } from '../../src/oauth/server.ts'
import { createAuth } from '../../src/people/auth.ts'
import type { Mail } from '../../src/people/mail.ts'
import { sessionSecrets } from '../../src/people/secret.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { connectionForms } from '../../src/providers/forms.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { keywordProviders } from '../../src/providers/keywords.ts'
import { resend } from '../../src/providers/resend/index.ts'
import { socialWays } from '../../src/providers/social.ts'
import { stripe } from '../../src/providers/stripe/index.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import {
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
  parseStripeWebhook,
} from '../../src/runtime/env.ts'
import { errorFields } from '../../src/runtime/log.ts'
import { accountsApp } from './app.tsx'

/** Where the keys that people save are tried. The service's own account with a provider is none of this Worker's business. */
const providersIn = ({ AHREFS_URL, DATAFORSEO_URL, SANDBOX_PROVIDERS }: Record<string, unknown>) => ({
  AHREFS_URL,
  DATAFORSEO_URL,
  SANDBOX_PROVIDERS,
})

export default httpWorker<Record<string, unknown> & { CMS: CmsBinding }>(
  { name: 'accounts', seals: true },
  (deps, env) => {
    const { db, log, settings } = deps
    guardClientDocuments(deps.outbound, deps.now)
    const send = resend(parseMailSettings(env))
    const mailLater = (mail: Mail) =>
      waitUntil(send(mail).catch((error: unknown) => log('error', 'mail.failed', errorFields(error))))
    const secrets = sessionSecrets(settings.secretsKeys)
    const auth = createAuth({
      db,
      publicUrl: settings.publicUrl,
      serviceName: settings.serviceName,
      secret: secrets[0],
      mailLater,
    })
    const paying = parseStripeSettings(env)
    const oauth = createOAuth(db, deps.now, settings.publicUrl, `${settings.publicUrl}${MCP_PATH}`)
    return accountsApp({
      deps,
      auth,
      secrets,
      mailLater,
      oauth,
      providers: keywordProviders(deps, parseKeywordSettings(providersIn(env))),
      targets: targetFactory(deps, env.CMS),
      forms: connectionForms,
      google: googleSearchConsole(deps, parseGoogleSettings(env)),
      ...socialWays(deps, parseSocialSettings(env), parseGoogleSettings(env)),
      payments: paying && stripe(paying),
      webhookSecret: parseStripeWebhook(env),
    })
  },
)
