import { sessionSecrets } from '../../src/accounts/people/session-cookie.ts'
import { type Service, sessionThrough } from '../../src/pages/session.ts'
import { httpWorker } from '../../src/platform/http/worker.ts'
import { passkeysApp } from './app.tsx'

export default httpWorker<{ SIGNIN: Service }>({ name: 'passkeys', seals: true }, (deps, env) =>
  passkeysApp({ deps, sessionOf: sessionThrough(env.SIGNIN), secrets: sessionSecrets(deps.settings.secretsKeys) }),
)
