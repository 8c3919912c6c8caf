import type { Example } from './example.ts'
import { Anything, Article, ArticleCreated, Published, ReceiverPosts } from './shapes.ts'
import { deliveriesOf, postsOf, type Stage, same } from './stage.ts'
import { Mismatch } from './tour.ts'

const DAYS_AHEAD = 6

/** Removes posts from another database. Article ids only grow, so a post with a later id came from one that is gone. */
const clearForeignPosts = async ({ tour, receiver }: Stage, articleId: number): Promise<void> => {
  const { body } = await receiver('GET', '/api/posts', { 200: ReceiverPosts }, { quiet: true })
  if (!body.posts.some((post) => Number(post.article_id) >= articleId)) return
  tour.note('The blog has posts from another database. They are removed.')
  await receiver('POST', '/_control', { 200: Anything }, { body: { reset: true } })
}

/** Submits the example as a planned article, twice with one Idempotency-Key, and reads it back. */
export const submitArticle = async (stage: Stage, projectId: number, example: Example): Promise<number> => {
  const { tour, api, run } = stage
  tour.step(
    'Submit the article',
    'Planned, some days ahead. The Idempotency-Key makes it safe to send again after a lost answer.',
  )
  const scheduled = new Date(Date.now() + DAYS_AHEAD * 86_400_000)
  const body = { project_id: projectId, ...example, status: 'Planned', scheduled_date: scheduled.toISOString() }
  const request = { body, idempotencyKey: `demo-${run}-article` }
  const first = await api('POST', '/articles', { 201: ArticleCreated }, request)
  const { article_id: articleId, status, keyword, slug, backlinks_processed, seo } = first.body
  tour.fields({ article_id: articleId, status, keyword, slug, backlinks_processed, seo_score: seo?.score })
  await clearForeignPosts(stage, articleId)
  same(tour, 'its status is Planned', status, 'Planned')
  const again = await api('POST', '/articles', { 201: ArticleCreated }, request)
  same(tour, 'the same key again made no second article', again.body.article_id, articleId)
  same(tour, 'and says that it is a replay', again.headers.get('idempotency-replayed'), 'true')

  tour.step('Read it back', 'ScheduledDate is wall time in the project’s timezone, without a suffix.')
  const read = (await api('GET', `/articles/${articleId}`, { 200: Article })).body
  const { ID, Title, Status, Slug, ScheduledDate, PublishState } = read
  tour.fields({ ID, Title, Status, Slug, ScheduledDate, PublishState, Content: `${read.Content.length} characters` })
  same(tour, 'title and slug are what was submitted', { Title, Slug }, { Title: example.title, Slug: slug })
  return articleId
}

/** Publishes now, looks at the blog, and publishes again, which sends nothing more. */
export const publishOnce = async (stage: Stage, articleId: number, title: string): Promise<void> => {
  const { tour, api } = stage
  tour.step('Publish it now', 'No body: the service delivers to whatever the project is connected to.')
  const published = await api('POST', `/articles/${articleId}/publish`, { 200: Published })
  const { status, url } = published.body
  tour.fields({ status, article_id: published.body.article_id, url })

  tour.step('Look at the blog', 'A 2xx is not proof; the post is.')
  const posts = await postsOf(stage, articleId)
  same(
    tour,
    'one post has this article’s id, at the url that was answered',
    posts.map((post) => post.url),
    [url],
  )
  same(tour, 'with its title', posts[0]?.title, title)
  const page = await fetch(url)
  const text = await page.text()
  if (page.status !== 200 || !text.includes('<h1>'))
    throw new Mismatch(`GET ${url}`, '200 with a heading', `${page.status}`)
  tour.ok(`and it can be read at ${url}`)

  tour.step('Publish it again', 'An article that is out is answered as before, and nothing is sent twice.')
  const before = (await deliveriesOf(stage, articleId)).length
  const again = await api('POST', `/articles/${articleId}/publish`, { 200: Published })
  same(tour, 'the answer has the same url', again.body.url, url)
  same(tour, 'the blog received nothing more', (await deliveriesOf(stage, articleId)).length, before)
}
