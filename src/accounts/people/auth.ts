import type { AuthDeps, makeAuth } from './better-auth.ts'

/** Sign-in of people: functions of better-auth, and its context. */
export type Auth = () => Promise<Pick<ReturnType<typeof makeAuth>, 'api' | '$context'>>

/**
 * Returns the sign-in of people. A session is looked up on every request, so ending one is effective at once.
 *
 * better-auth is loaded at its first use, since OAuth's endpoints, Stripe's events and pages without sign-in do not need it.
 */
export const createAuth = (deps: AuthDeps): Auth => {
  let made: ReturnType<Auth> | undefined
  return () => {
    made ??= import('./better-auth.ts').then(({ makeAuth }) => makeAuth(deps))
    return made
  }
}
