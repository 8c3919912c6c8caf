import { sql } from 'drizzle-orm'
import { createAccount, createKey } from '../../src/platform/accounts/admin.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { sha256 } from '../../src/platform/lib/crypto.ts'

/** Name of the business of the sample project. */
export const SAMPLE_NAME = 'Garden Room'

/** Owner of the first key. */
export const OWNER = 'owner@galley.local'

/**
 * Returns the key of an earlier start if the database still knows it. Otherwise makes a key, and its owner if there is
 * none.
 */
export const keyFor = async (run: SqlRunner, earlier: string | undefined): Promise<string> => {
  if (earlier) {
    const known = await run(
      sql`select id from api_keys where key_hash = ${await sha256(earlier)} and revoked_at is null`,
    )
    if (known.length > 0) return earlier
  }
  const [owner] = await run<{ id: number }>(sql`select id from accounts where lower(email) = ${OWNER}`)
  if (!owner) await createAccount(run, OWNER, { plan: 'pro', projects: 50 })
  const { key } = await createKey(run, OWNER, { name: 'First key', scopes: ['read', 'write'], kind: 'test' })
  return key
}

/**
 * Returns true as `isEmpty` if there is no project, and the sample that an earlier start made. For when no file names
 * it.
 */
export const projectsIn = async (run: SqlRunner): Promise<{ isEmpty: boolean; sample?: number }> => {
  const [found] = await run<{ is_empty: boolean; sample: number | null }>(
    sql`select not exists (select 1 from projects) as is_empty, (select min(p.id) from projects p join accounts a on a.id = p.account_id
      where lower(a.email) = ${OWNER} and p.business_name = ${SAMPLE_NAME}) as sample`,
  )
  return { isEmpty: found?.is_empty ?? true, ...(found?.sample ? { sample: Number(found.sample) } : {}) }
}

/** Moves integrations from a local site's old address to its new one, and what is known of its posts. Returns their number. */
export const moveIntegrations = async (run: SqlRunner, from: string, to: string): Promise<number> => {
  const moved = await run(sql`
    with moved as (update integrations i set url = ${to}::text || substr(i.url, ${from.length + 1}::int) from integrations o
        where o.id = i.id and (i.url = ${from} or left(i.url, ${from.length + 1}::int) = ${`${from}/`})
        returning i.id, i.project_id, i.platform || ' ' || o.url as before, i.platform || ' ' || i.url as now),
      known as (update articles a set remote_site = moved.now from moved where a.project_id = moved.project_id and a.remote_site = moved.before),
      found as (update adopted_posts p set site = moved.now from moved where p.project_id = moved.project_id and p.site = moved.before)
    select id from moved`)
  return moved.length
}
