import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { betterAuth } from 'better-auth/minimal'
import { magicLink } from 'better-auth/plugins/magic-link'
import { people, personCredentials, personSessions, personVerifications } from '../../../schema/people.ts'
import type { Db } from '../../platform/db/client.ts'
import { MAILS, type Mail, mailedLink } from './mail.ts'
import { hashPassword, PASSWORD, verifyPassword } from './password.ts'
import { PATHS } from './paths.ts'
import { cookiePrefix, SESSION_MS } from './session-cookie.ts'

export type AuthDeps = {
  db: Db
  publicUrl: string
  serviceName: string
  /** Signs the cookies of sessions. */
  secret: string
  /** Queues a mail under an id. It is not sent after `until`, when its token ends. */
  queueMail: (mail: Mail, until: Date, id: string) => Promise<void>
}

const HOUR_S = 3_600
const LINK_S = 15 * 60

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/** Returns the sign-in of people by better-auth: passwords (scrypt), links by mail, sessions in the database and an httpOnly cookie. */
export const makeAuth = ({ db, publicUrl, serviceName, secret, queueMail }: AuthDeps) =>
  betterAuth({
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
    session: {
      expiresIn: SESSION_MS / 1_000,
      updateAge: 24 * HOUR_S,
      cookieCache: { enabled: false },
      additionalFields: { provedAt: { type: 'date', required: false, input: false } },
    },
    advanced: {
      cookiePrefix: cookiePrefix(publicUrl),
      // better-auth's own secure prefix, `__Secure-`, lets other hosts of the domain set the cookie.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isSecure(publicUrl) },
    },
    // Tokens are stored only as hashes, including those of plugins.
    verification: { storeIdentifier: 'hashed' },
    // `src/accounts/people/password.ts` verifies addresses and sets passwords.
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD.least,
      maxPasswordLength: PASSWORD.most,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) =>
            context?.path === '/magic-link/verify' ? { data: { ...session, provedAt: session.createdAt } } : undefined,
        },
      },
    },
    plugins: [
      magicLink({
        expiresIn: LINK_S,
        storeToken: 'hashed',
        sendMagicLink: async ({ email, token, metadata }) => {
          const next = typeof metadata?.next === 'string' ? metadata.next : undefined
          const mail = MAILS.signIn(serviceName, email, mailedLink(publicUrl, PATHS.link, { token, next }))
          await queueMail(mail, new Date(Date.now() + LINK_S * 1_000), String(metadata?.mail))
        },
      }),
    ],
  })
