import { createAuth } from '../../src/accounts/people/auth.ts'
import { queueAlone } from '../../src/accounts/people/send-mail.ts'
import { sessionSecrets } from '../../src/accounts/people/session-cookie.ts'
import { twoEntrypoints } from '../../src/platform/http/worker.ts'
import { parseMailSettings } from '../../src/platform/runtime/provider-env.ts'
import { signInApp } from './app.tsx'

const { open, internal } = twoEntrypoints<Record<string, unknown>>({ name: 'signin', seals: true }, (deps, env) => {
  const { db, settings } = deps
  const secrets = sessionSecrets(settings.secretsKeys)
  const auth = createAuth({
    db,
    publicUrl: settings.publicUrl,
    serviceName: settings.serviceName,
    secret: secrets[0],
    queueMail: (mail, until, id) => queueAlone(deps, mail, until, id),
  })
  return signInApp({ deps, auth, secrets, sendsMail: parseMailSettings(env).isSetUp })
})

export { internal }
export default open
