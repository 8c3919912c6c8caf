import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Scene } from '../publishing/scene.ts'

type ArticleRow = {
  id: number
  status: string
  publish_state: string
  publish_error: string | null
  content: string
  due: boolean
}

const articlesOf = (scene: Scene): Promise<ArticleRow[]> =>
  scene.rows<ArticleRow>(sql`select id, status, publish_state, publish_error, content,
      coalesce(status = 'Planned' and publish_state = 'idle' and scheduled_at <= now(), false) as due
    from articles where account_id = ${scene.api.accountId}::int order by id`)

/** Nothing waits, nothing is held, nothing was given up in silence. */
const expectNothingOpen = async (scene: Scene): Promise<void> => {
  const mine = sql`account_id = ${scene.api.accountId}::int`
  const [open] = await scene.rows<Record<string, string>>(sql`select
    (select count(*) from deliveries where ${mine} and status in ('sending', 'retrying', 'unknown')) as deliveries,
    (select count(*) from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.${mine} and a.status = 'sending') as attempts,
    (select count(*) from outbox where ${mine} and done_at is null) as jobs,
    (select count(*) from outbox where ${mine} and dead_at is not null) as dead,
    (select count(*) from deliveries where ${mine} and status = 'failed' and error is null) as unexplained`)
  expect(Object.entries(open ?? {}).filter(([, count]) => Number(count) > 0)).toEqual([])
}

/** Expects no more requests than recorded attempts, and no key with two contents. */
const expectRequestsOnRecord = async (scene: Scene): Promise<void> => {
  const rows = await scene.rows<{ key: string; attempts: string }>(
    sql`select idempotency_key as key, sum(attempts) as attempts from deliveries where account_id = ${scene.api.accountId}::int group by 1`,
  )
  const attempts = new Map(rows.map((row) => [row.key, Number(row.attempts)]))
  const requests = await scene.deliveries()
  const byKey = Map.groupBy(requests, (r) => r.headers['idempotency-key'] ?? '')
  for (const [key, sent] of byKey)
    expect(sent.length, `requests under ${key}`).toBeLessThanOrEqual(attempts.get(key) ?? 0)
  expect(requests.flatMap((r) => r.warnings)).toEqual([])
}

/**
 * Expects every article, after all work, to be published as it is saved, failed with a reason, or never requested.
 *
 * `told` are the articles that a caller knows as published; `strict` is true if no answer was lost on the way.
 */
export const expectAtRest = async (scene: Scene, told: ReadonlySet<number>, strict: boolean): Promise<void> => {
  await expectNothingOpen(scene)
  await expectRequestsOnRecord(scene)
  const [articles, posts, requests] = [await articlesOf(scene), await scene.posts(), await scene.deliveries()]
  expect(new Set(posts.map((p) => p.article_id)).size, 'posts of one article').toBe(posts.length)
  for (const article of articles) {
    const post = posts.find((p) => p.article_id === String(article.id))
    expect(['idle', 'failed']).toContain(article.publish_state)
    if (article.publish_state === 'failed') expect(article.publish_error).toEqual(expect.any(String))
    expect(article.due, `article ${article.id} was due and left behind`).toBe(false)
    // The edit of a sync that failed is saved but not at the receiver.
    const content = article.publish_state === 'idle' ? { content_html: article.content } : {}
    if (article.status === 'Published')
      expect(post, `article ${article.id} is published`).toMatchObject({ status: 'Published', ...content })
    if (!strict) continue
    const taken = requests.filter((r) => r.article_ids.includes(String(article.id)) && r.action !== null)
    expect(taken.filter((r) => r.event_type === 'publish_articles').length).toBeLessThanOrEqual(1)
  }
  for (const id of told) expect(articles.find((a) => a.id === id)).toMatchObject({ id, status: 'Published' })
}
