import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { cron, flush } from '../../publishing/scene.ts'
import { rowsIn } from '../../support/client.ts'
import { isShut } from './model.ts'
import { explainPosts, postsAt, settlePosts } from './posts.ts'
import { explainArticles, settleArticles } from './readers.ts'
import type { Site, Tenant } from './tenant.ts'
import { HOUR_MS, now, type World } from './world.ts'

/** The zone in which the clock shows an hour more than UTC for each hour given. */
const zoneOf = (hours: number): string => {
  const ahead = ((((hours + 12) % 24) + 24) % 24) - 12
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Simulates hours: makes everything recorded older, and moves the clocks of the sites. */
const passHours = async ({ access, passed }: World, { accountId }: Tenant, hours: number): Promise<void> => {
  const mine = sql`account_id = ${accountId}::int`
  const moved = (table: string, columns: string[]) =>
    rowsIn(
      access,
      sql`update ${sql.identifier(table)} set ${sql.join(
        columns.map(
          (name) => sql`${sql.identifier(name)} = ${sql.identifier(name)} - make_interval(hours => ${hours}::int)`,
        ),
        sql`, `,
      )} where ${mine}`,
    )
  await moved('articles', ['scheduled_at', 'due_taken_at', 'publish_lease_until', 'published_at'])
  await moved('deliveries', ['created_at', 'next_attempt_at', 'lease_until'])
  await moved('approvals', ['created_at', 'expires_at', 'decided_at', 'told_at', 'reminded_at'])
  await moved('social_posts', ['scheduled_for', 'lease_until'])
  // A stored call has its date in its body.
  const date = sql.raw(`'{input,body,scheduled_for}'`)
  await rowsIn(
    access,
    sql`update approvals set call = jsonb_set(call, ${date}, to_jsonb((call #>> ${date})::timestamptz - make_interval(hours => ${hours}::int)))
      where ${mine} and call #>> ${date} is not null`,
  )
  await rowsIn(
    access,
    sql`update projects set timezone = ${zoneOf(passed)}::text, publishing_until = null where ${mine}`,
  )
  await rowsIn(
    access,
    sql`update policies set timezone = ${zoneOf(passed)}::text
      where project_id in (select id from projects where ${mine}) and timezone is not null`,
  )
}

/** Ends every lease and wait of a tenant. */
export const endWaits = async ({ access }: World, { accountId }: Tenant): Promise<void> => {
  const mine = sql`account_id = ${accountId}::int`
  await rowsIn(
    access,
    sql`update deliveries set next_attempt_at = least(next_attempt_at, now() - interval '1 second')
      where ${mine} and status in ('retrying', 'unknown')`,
  )
  await rowsIn(
    access,
    sql`update accounts set publish_minute = publish_minute - interval '1 minute' where id = ${accountId}::int`,
  )
  await rowsIn(
    access,
    sql`update outbox set run_at = least(run_at, now() - interval '5 minutes'), lease_until = null,
      offered_at = least(offered_at, now() - interval '2 hours') where ${mine} and done_at is null and dead_at is null`,
  )
}

/** Expects that everything that reached the outside since the last check was allowed. */
export const explain = async (world: World, site: Site, what: unknown): Promise<void> => {
  await explainArticles(world, site, what)
  await explainPosts(world, site, what)
}

/** Longest wait for the queue to run due work, ms. The clock runs the work that the queue does not know of. */
const REST_MS = 5_000

/**
 * Waits until no work of a tenant is due, and checks its sites.
 *
 * Later changes, such as another policy, then affect only work that must wait.
 */
export const rest = async (world: World, { accountId, sites }: Tenant): Promise<void> => {
  const due = sql`select 1 from outbox where account_id = ${accountId}::int and done_at is null and dead_at is null and run_at <= now()`
  const end = Date.now() + REST_MS
  do await flush(world.access)
  while ((await rowsIn(world.access, due)).length > 0 && Date.now() < end)
  for (const site of sites) await explain(world, site, 'before a change')
}

/** Number of minutes after which everything that may be sent was sent, one article of a site at a time. */
const TICKS = 3

/** Simulates hours or a minute. */
export const passTime = async (world: World, tenants: readonly Tenant[], hours: number): Promise<void> => {
  await Promise.all(tenants.map((tenant) => rest(world, tenant)))
  if (hours > 0) {
    // No day ends while the steps are taken.
    const by = new Date(now(world) + hours * HOUR_MS).getUTCHours() === 23 ? hours + 1 : hours
    world.passed += by
    await Promise.all(tenants.map((tenant) => passHours(world, tenant, by)))
  }
  for (let tick = 0; tick < TICKS; tick += 1) {
    const shut = await Promise.all(
      tenants.flatMap(({ sites }) =>
        sites.map(
          async (site) =>
            [site, isShut(site, now(world)), (await site.arrivals()).length + postsAt(world, site).length] as const,
        ),
      ),
    )
    await Promise.all(tenants.map((tenant) => endWaits(world, tenant)))
    await cron(world.access)
    await flush(world.access, true)
    for (const [site, isClosed, before] of shut)
      if (isClosed)
        expect(
          (await site.arrivals()).length + postsAt(world, site).length,
          'requests to a site that is shut, and posts',
        ).toBe(before)
    for (const { sites } of tenants) for (const site of sites) await explain(world, site, 'clock')
  }
  for (const tenant of tenants) {
    await settleArticles(world, tenant)
    for (const site of tenant.sites) await settlePosts(world, site)
  }
}

/** Turns planned articles into drafts, so that nothing falls due later. */
export const unplan = ({ access }: World, { accountId }: Tenant) =>
  rowsIn(access, sql`update articles set status = 'Draft' where account_id = ${accountId}::int and status = 'Planned'`)
