import type { Auth } from '../../accounts/people/auth.ts'
import { personOfSession } from '../../accounts/people/person.ts'
import { tokenIn } from '../../accounts/people/session-cookie.ts'
import type { Db } from '../../platform/db/client.ts'
import type { SessionOf } from '../session.ts'

/** Returns a `SessionOf` that reads the session and its person at the same time, so that both cost one wait. */
export const sessionBy =
  (auth: Auth, db: Db): SessionOf =>
  async (request) => {
    if (!request.headers.has('cookie')) return undefined
    const { api, $context } = await auth()
    const token = tokenIn(request, (await $context).authCookies.sessionToken)
    const [found, person] = await Promise.all([
      api.getSession({ headers: request.headers }),
      token === undefined ? undefined : personOfSession(db, token),
    ])
    if (!found) return undefined
    const { id, email, emailVerified } = found.user
    const { id: sessionId, provedAt } = found.session
    return {
      id: sessionId,
      user: { id, email, emailVerified },
      provedAt: provedAt?.getTime(),
      person: person?.id === id ? person : undefined,
    }
  }
