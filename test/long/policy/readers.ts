import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rowsIn } from '../../support/client.ts'
import { gaveUp, goesOut, type ModelArticle, ruleOfWant, spend, wantOf } from './model.ts'
import type { Site, Tenant } from './tenant.ts'
import { now, type World } from './world.ts'

/** The state of a tenant's articles in the database, by id. */
type Row = {
  id: number
  status: ModelArticle['status']
  publish_state: string
  publish_error: string | null
  title: string
  /** True if nobody decided on its last question in time. */
  has_expired: boolean
}
const rowsOf = async ({ access }: World, { accountId }: Tenant): Promise<Map<number, Row>> => {
  const rows = await rowsIn<Row>(
    access,
    sql`select id, status, publish_state, publish_error, title, coalesce(
        (select status = 'expired' and expires_at <= now() from approvals where article_id = articles.id order by id desc limit 1), false) as has_expired
      from articles where account_id = ${accountId}::int and title like 'Shed %'`,
  )
  return new Map(rows.map((row) => [Number(row.id), row]))
}

export const articlesOf = (site: Site): ModelArticle[] => site.articles.filter((article) => article !== null)

/**
 * Compares what readers of a site see with what they may see.
 *
 * Every other change must come from work that the policy in force allows.
 */
export const explainArticles = async (world: World, site: Site, what: unknown): Promise<void> => {
  const shows = new Set(await site.shows())
  for (const article of articlesOf(site)) {
    if (article.shown !== null && shows.has(article.shown)) continue
    if (article.shown === null && !shows.has(article.title)) continue
    const want = wantOf(article, now(world))
    const rule = want && ruleOfWant(site, now(world), article, want)
    const about = JSON.stringify({
      what,
      article: { ...article, earlier: [...article.earlier] },
      want,
      rule,
      shows: [...shows],
    })
    if (!want || rule !== null || !shows.has(article.title)) throw new Error(`nothing allowed this: ${about}`)
    goesOut(site, now(world), article, want.kind === 'change' ? 'change' : 'publish', want.kind === 'retry')
  }
  const expected = articlesOf(site).flatMap(({ shown }) => shown ?? [])
  expect([...shows].filter((title) => articlesOf(site).some(({ earlier }) => earlier.has(title))).sort()).toEqual(
    expected.sort(),
  )
}

/** Expects no request twice: a webhook took as many of each article as were allowed. */
const expectOnce = async (site: Site): Promise<void> => {
  if (site.target === 'ghost') {
    expect(new Set(await site.shows()).size, 'posts of one title').toBe((await site.shows()).length)
    return
  }
  const arrivals = await site.arrivals()
  for (const { id, taken } of articlesOf(site))
    expect(
      arrivals.filter(({ articleIds, isTaken }) => isTaken && articleIds.includes(id)).length,
      `requests of ${id}`,
    ).toBe(taken)
}

/** Expects that the clock left only work that the policy forbids, and that each article is as in the model. */
export const settleArticles = async (world: World, tenant: Tenant): Promise<void> => {
  const rows = await rowsOf(world, tenant)
  for (const site of tenant.sites) {
    for (const article of articlesOf(site)) {
      const row = rows.get(article.id)
      const about = () =>
        JSON.stringify({
          article: { ...article, earlier: [...article.earlier] },
          row,
          policy: site.policy,
          at: new Date(now(world)).toISOString(),
        })
      const want = wantOf(article, now(world))
      const rule = want && ruleOfWant(site, now(world), article, want)
      if (
        want &&
        site.mode === 'unavailable' &&
        (row?.publish_state === 'failed' || row?.publish_state === 'retrying')
      ) {
        if (row.publish_state === 'retrying' && want.kind !== 'retry') {
          site.places.push({ day: Math.floor(now(world) / 86_400_000), articleId: article.id })
          Object.assign(article, { queued: 'retry', approved: null })
        }
        if (row.publish_state === 'failed') gaveUp(site, article, now(world))
        continue
      }
      if (want && rule === null) throw new Error(`the clock left it behind: ${about()}`)
      if (rule === 'allowed_targets') {
        if (want?.kind === 'retry') gaveUp(site, article, now(world))
        spend(article, now(world))
        article.approved = null
      }
      if (rule === 'needs_approval') Object.assign(article, { queued: null, asked: 'publish', approved: null })
      if (article.asked !== null && row?.has_expired && row.publish_state === 'idle')
        Object.assign(article, { asked: null, status: article.status === 'Published' ? 'Published' : 'Draft' })
      if (row === undefined || row.status !== article.status || row.title !== article.title)
        throw new Error(`it is not as it should be: ${about()}`)
      if (article.asked !== null && row.publish_state !== 'awaiting_approval')
        throw new Error(`nobody is asked: ${about()}`)
      if (article.queued !== null && row.publish_state === 'failed') {
        spend(article, now(world))
        article.approved = null
      }
    }
    await expectOnce(site)
  }
}
