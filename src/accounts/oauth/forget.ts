import { asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { invitations, oauthGrants, oauthRecords, personSessions, personVerifications } from '../../../schema/people.ts'
import { audit } from '../../platform/db/audit.ts'
import { dropInBatches } from '../../platform/db/batches.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { read } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { remove, update } from '../../platform/db/write-parts.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

type Expiring = typeof personSessions | typeof personVerifications | typeof invitations

/** The first rows of a table to expire, and the part that removes them. */
const expired = (name: string, table: Expiring, now: Date, limit: number) => {
  const { id, expiresAt } = table
  const rows = read(name, table, { id }, { where: lte(expiresAt, now), orderBy: asc(expiresAt), limit })
  return { rows, parts: [rows, remove(`${name}_removed`, table, { from: [rows], where: eq(id, rows.c.id) })] }
}

/** Deletes a batch of each kind of what has expired, and answers how many of all kinds that were. A grant that nobody refreshed takes the key behind it along. */
const dropExpired = (now: Date, limit: number): SQL => {
  const { key, expiresAt } = oauthRecords
  const records = read('records', oauthRecords, { key }, { where: lte(expiresAt, now), orderBy: asc(expiresAt), limit })
  const dropped = remove('dropped', oauthRecords, {
    from: [records],
    where: eq(key, records.c.key),
    returning: { key },
  })
  const revoked = update(
    'revoked',
    apiKeys,
    { revokedAt: now },
    {
      where: sql`${apiKeys.revokedAt} is null and ${apiKeys.id} in (select ${oauthGrants.keyId} from ${oauthGrants}
        where ${oauthGrants.grantId} in (select split_part(${dropped.c.key}, ':', 3) from ${dropped.rows} where ${dropped.c.key} like 'grant:%'))`,
      returning: { id: apiKeys.id, account_id: apiKeys.accountId },
    },
  )
  const sessions = expired('sessions', personSessions, now, limit)
  const tokens = expired('tokens', personVerifications, now, limit)
  const unanswered = expired('unanswered', invitations, now, limit)
  const acting = { actor: () => 'oauth', now: () => now }
  return statement({
    parts: [records, dropped, revoked, sessions.parts, tokens.parts, unanswered.parts],
    audit: audit(acting, {
      of: revoked,
      account: revoked.c.account_id,
      action: 'application.end',
      on: ['key', revoked.c.id],
    }),
    answer: {
      dropped: sql`${countOf(records)} + ${countOf(sessions.rows)} + ${countOf(tokens.rows)} + ${countOf(unanswered.rows)}`,
    },
    answerFrom: ONE_ROW,
  })
}

/** Forgets expired sessions, mailed tokens, invitations, and records of the OAuth server, in batches of each kind; how many went. */
export const forgetSignIns = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  dropInBatches(async (most) => {
    const [row] = await rowsOf<{ dropped: number }>(db, dropExpired(now(), most))
    return Number(row?.dropped ?? 0)
  })
