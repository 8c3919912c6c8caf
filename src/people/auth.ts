import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { betterAuth } from 'better-auth/minimal'
import { magicLink } from 'better-auth/plugins/magic-link'
import { people, personCredentials, personSessions, personVerifications } from '../../schema/people.ts'
import type { Db } from '../db/client.ts'
import { MAILS, type Mail } from './mail.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { PATHS, safeNext } from './paths.ts'

export type AuthDeps = {
  db: Db
  publicUrl: string
  serviceName: string
  /** Signs the cookies of sessions, and the tokens by which addresses are confirmed. */
  secret: string
  /** Sends a mail after the answer, so that whether one was sent cannot be told by the time the answer took. */
  mailLater: (mail: Mail) => void
}

const HOUR_S = 3_600
const LINK_S = 15 * 60
const SESSION_S = 30 * 24 * HOUR_S

const makeAuth = ({ db, publicUrl, serviceName, secret, mailLater }: AuthDeps) => {
  const link = (path: string, token: string) => `${publicUrl}${path}?token=${encodeURIComponent(token)}`
  /** Where a person goes on to, as it was handed to better-auth at sign-up. */
  const nextOf = (url: string) => {
    const given = new URL(url).searchParams.get('callbackURL')
    const next = given === '/' ? PATHS.settings : safeNext(given ?? undefined)
    return next === PATHS.settings ? '' : `&next=${encodeURIComponent(next)}`
  }
  return betterAuth({
    appName: serviceName,
    baseURL: publicUrl,
    basePath: '/auth',
    secret,
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: people, session: personSessions, account: personCredentials, verification: personVerifications },
    }),
    session: { expiresIn: SESSION_S, updateAge: 24 * HOUR_S, cookieCache: { enabled: false } },
    advanced: {
      cookiePrefix: 'galley',
      useSecureCookies: publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 200,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR_S,
      password: { hash: hashPassword, verify: verifyPassword },
      sendResetPassword: async ({ user, token }) =>
        mailLater(MAILS.reset(serviceName, user.email, link(PATHS.newPassword, token))),
      onExistingUserSignUp: async ({ user }) =>
        mailLater(MAILS.known(serviceName, user.email, `${publicUrl}${PATHS.signIn}`)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: HOUR_S,
      sendVerificationEmail: async ({ user, token, url }) =>
        mailLater(MAILS.verify(serviceName, user.email, `${link(PATHS.verify, token)}${nextOf(url)}`)),
    },
    plugins: [
      magicLink({
        expiresIn: LINK_S,
        storeToken: 'hashed',
        sendMagicLink: async ({ email, token, metadata }) => {
          const next = typeof metadata?.next === 'string' ? `&next=${encodeURIComponent(metadata.next)}` : ''
          mailLater(MAILS.signIn(serviceName, email, `${link(PATHS.link, token)}${next}`))
        },
      }),
    ],
  })
}

export type Auth = Pick<ReturnType<typeof makeAuth>, 'api' | '$context'>

/**
 * Sign-in of people by better-auth: passwords (scrypt), links by mail, verified addresses, sessions in the database and an
 * httpOnly cookie. A session is looked up on every request, so that it ends at once when it is ended.
 *
 * It is made when it is first asked for: OAuth's endpoints, Stripe's events and pages that need no sign-in do without.
 */
export const createAuth = (deps: AuthDeps): Auth => {
  let made: Auth | undefined
  const auth = (): Auth => {
    made ??= makeAuth(deps)
    return made
  }
  return {
    get api() {
      return auth().api
    },
    get $context() {
      return auth().$context
    },
  }
}
