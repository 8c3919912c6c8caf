import { type Example, sectionsOf } from './example.ts'
import { ArticleCreated } from './shapes.ts'
import { postsOf, type Stage, same, untilPublished } from './stage.ts'

const AHEAD_S = 60
/** The minute until its date, the minute until the next cron run, and some room. */
const LIMIT_S = 300

/** Plans an article a minute ahead and waits until the service has published it. */
export const publishOnSchedule = async (stage: Stage, projectId: number, example: Example): Promise<void> => {
  const { tour, api, run } = stage
  tour.step(
    'Plan one for the next minute',
    'On its date, an article is published automatically, according to the project’s publishing_status.',
  )
  const at = new Date(Date.now() + AHEAD_S * 1000)
  const body = {
    project_id: projectId,
    keyword: `bike chain wear ${run}`,
    title: 'Bike Chain Wear: Measure, Do Not Guess',
    content: sectionsOf(example, ['chain', 'brakes-lights']),
    meta_description:
      'How to measure the wear of a bicycle chain with a ruler, and when the brakes and lights need attention.',
    article_style: 'How-To',
    status: 'Planned',
    scheduled_date: at.toISOString(),
  }
  const request = { body, idempotencyKey: `demo-${run}-schedule` }
  const created = (await api('POST', '/articles', { 201: ArticleCreated }, request)).body
  tour.fields({ article_id: created.article_id, status: created.status, scheduled_date: body.scheduled_date })
  tour.note(`It is due at ${at.toLocaleTimeString('en-GB')}; the clock ticks once a minute, so allow two minutes.`)
  await untilPublished(stage, created.article_id, LIMIT_S)
  const posts = await postsOf(stage, created.article_id)
  same(
    tour,
    'and the blog has it, once',
    posts.map((post) => post.title),
    [body.title],
  )
}
