import { type Example, sectionsOf } from './example.ts'
import { Anything, ArticleCreated, Deliveries, DeliveryDetail, Retrying } from './shapes.ts'
import { deliveriesOf, postsOf, type Stage, same, untilPublished } from './stage.ts'
import { Mismatch } from './tour.ts'

/** Longer than the first two retries (30 s and 2 min, each up to a fifth more), even in real time. */
const RECOVERY_LIMIT_S = 240

const showAttempts = async (stage: Stage, projectId: number, articleId: number): Promise<void> => {
  const { tour, api } = stage
  const { body: list } = await api('GET', `/webhook-deliveries?project_id=${projectId}`, { 200: Deliveries })
  const row = list.deliveries.find((delivery) => String(delivery.article_id) === String(articleId))
  if (!row)
    throw new Mismatch('The list of deliveries', `one for article ${articleId}`, `${list.deliveries.length} others`)
  const { delivery } = (await api('GET', `/webhook-deliveries/${row.id}`, { 200: DeliveryDetail })).body
  for (const { number, status, duration_ms: ms, error } of delivery.attempts)
    tour.fields({ [`attempt ${number}`]: `${status ?? 'no answer'} in ${ms ?? '–'} ms${error ? ` · ${error}` : ''}` })

  const received = await deliveriesOf(stage, articleId)
  const keys = [...new Set(received.map((request) => request.idempotency_key))]
  same(tour, 'every attempt reached the blog and is on record', delivery.attempts.length, received.length)
  same(
    tour,
    'the first was refused, the last accepted',
    [received[0], received.at(-1)].map((r) => r?.answer.status),
    [500, 200],
  )
  same(tour, 'all carried one Idempotency-Key, the delivery’s own', keys, [delivery.idempotency_key])
  same(tour, 'and there is one post', (await postsOf(stage, articleId)).length, 1)
}

/** Publishes while the blog is down, brings it up, and waits until the service has retried the delivery. */
export const recoverFromOutage = async (stage: Stage, projectId: number, example: Example): Promise<void> => {
  const { tour, api, receiver, run, service } = stage
  tour.step('The blog breaks down', 'It answers 500 from now on; then a second article is published.')
  await receiver('POST', '/_control', { 200: Anything }, { body: { mode: 'down' } })
  const body = {
    project_id: projectId,
    keyword: `monthly bike check ${run}`,
    title: 'The Monthly Bike Check in Ten Minutes',
    content: sectionsOf(example, ['monthly-check', 'do-not-wait']),
    meta_description:
      'Seven things to look at once a month on a bike you ride to work, and the signs that should not wait.',
    article_style: 'How-To',
  }
  const request = { body, idempotencyKey: `demo-${run}-outage` }
  const { article_id: articleId } = (await api('POST', '/articles', { 201: ArticleCreated }, request)).body
  const failed = (await api('POST', `/articles/${articleId}/publish`, { 202: Retrying })).body
  tour.fields({ status: failed.status, error: failed.error, next_attempt_at: failed.next_attempt_at })
  same(tour, 'nothing was posted', (await postsOf(stage, articleId, true)).length, 0)

  tour.step(
    'The blog is back',
    'Nobody asks again: the service retries after 30 s, 2 min and 8 min, each give or take a fifth.',
  )
  await receiver('POST', '/_control', { 200: Anything }, { body: { mode: 'ok' } })
  if (service.time_scale !== 1)
    tour.note(`The waits are ${service.time_scale} times shorter here; see next_attempt_at.`)
  await untilPublished(stage, articleId, RECOVERY_LIMIT_S)

  tour.step('What happened, attempt by attempt', 'Each attempt is on record; the receiver can tell a retry by its key.')
  await showAttempts(stage, projectId, articleId)
}
