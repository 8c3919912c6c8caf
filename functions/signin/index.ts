import { twoEntrypoints } from '../../src/http/worker.ts'
import { mailing } from '../../src/pages/mail-later.ts'
import { createAuth } from '../../src/people/auth.ts'
import { sessionSecrets } from '../../src/people/secret.ts'
import { resend } from '../../src/providers/resend/index.ts'
import { parseMailSettings } from '../../src/runtime/env.ts'
import { signInApp } from './app.tsx'

const { open, internal } = twoEntrypoints<Record<string, unknown>>({ name: 'signin', seals: true }, (deps, env) => {
  const { db, settings } = deps
  const secrets = sessionSecrets(settings.secretsKeys)
  const mails = mailing(resend(parseMailSettings(env), deps))
  const auth = createAuth({
    db,
    publicUrl: settings.publicUrl,
    serviceName: settings.serviceName,
    secret: secrets[0],
    mailLater: mails.mailLater,
  })
  return signInApp({ deps, auth, secrets, ...mails })
})

export { internal }
export default open
