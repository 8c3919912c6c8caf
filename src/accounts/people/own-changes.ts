import { eq, type SQL, sql } from 'drizzle-orm'
import { memberships } from '../../../schema/people.ts'
import { type AuditStatement, audit } from '../../platform/db/writes.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { MAILS } from './mail.ts'
import { PATHS } from './paths.ts'
import type { Person } from './person.ts'
import { queueMail, sealMail } from './queue-mail.ts'

const DAY_MS = 86_400_000

export type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

/** The person who changes something of their own. */
export type Me = Pick<Person, 'id' | 'email'>

/** Notes what a person did about themselves in the log of each account they work in. */
export const auditEverywhere = (
  { now }: Pick<Needed, 'now'>,
  { id }: Me,
  action: string,
  condition: SQL,
): AuditStatement =>
  audit(
    { actor: () => `person:${id}`, now },
    {
      account: memberships.accountId,
      action,
      on: ['person', memberships.personId],
      from: sql`${memberships}`,
      if: sql`${eq(memberships.personId, id)} and ${condition}`,
    },
  )

/** Queues a mail to a person about a change by which somebody else could get in. */
export const mailSecurity = async (
  deps: Needed,
  { email }: Me,
  { what, if: condition }: { what: string; if: SQL },
): Promise<SQL> => {
  const { serviceName, publicUrl } = deps.settings
  const now = deps.now()
  const mail = MAILS.security(serviceName, email, { what, link: `${publicUrl}${PATHS.reset}` })
  return queueMail(await sealMail(deps, mail, new Date(now.getTime() + DAY_MS)), { now, if: condition })
}
