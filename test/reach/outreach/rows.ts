import { sql } from 'drizzle-orm'
import { type Api, newAccount, rowsIn, type Target } from '../../support/client.ts'

/** Rows of a sync, by kind. */
export type Rows = Record<string, Record<string, unknown>[]>

export const person = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  full_name: `Person ${id}`,
  updated_at: '2026-05-01T10:00:00Z',
  ...more,
})

export const identity = (id: string, personId: string, value: string, kind = 'email') => ({
  id,
  person_id: personId,
  kind,
  value,
})

export const lead = (id: string, personId: string, more: Record<string, unknown> = {}) => ({
  id,
  person_id: personId,
  stage: 'contacted',
  updated_at: '2026-05-01T10:00:00Z',
  ...more,
})

export const action = (id: string, personId: string) => ({
  id,
  person_id: personId,
  kind: 'email_sent',
  at: '2026-05-02T08:00:00Z',
})

/** Returns an account that may sync. */
export const entitled = (target: Target): Promise<Api> => newAccount(target, { outreachPro: true })

/** Returns the rows of a kind in an account's mirror, as they were sent, by id. */
export const stored = async (target: Target, api: Api, kind: string): Promise<Record<string, unknown>[]> => {
  const rows = await rowsIn<{ data: Record<string, unknown> }>(
    target,
    sql`select data from ${sql.raw(`outreach_${kind}`)} where account_id = ${api.accountId}::int order by id`,
  )
  return rows.map(({ data }) => data)
}
