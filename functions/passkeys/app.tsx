import { frontApp } from '../../src/pages/app.tsx'
import { type PasskeyFront, passkeyPages } from '../../src/pages/passkeys/pages.tsx'

/** Returns the Worker of passkeys: signing in with one, and the page that lists, adds and removes them. */
export const passkeysApp = (front: PasskeyFront) => {
  const app = frontApp(front)
  passkeyPages(app, front)
  return app
}
