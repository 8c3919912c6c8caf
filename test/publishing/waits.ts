import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type Answer, type Api, tell } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import type { Scene, StackAccess } from './scene.ts'

/**
 * Publishes an article beside others of its project, as a caller does.
 *
 * A caller without a turn within 10 s gets an error that nothing was sent, and calls again.
 */
export const publishInTurn = async (api: Api, id: number): Promise<Answer> => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await api.post(`/articles/${id}/publish`)
    const isNoTurn = answer.status === 409 && String(answer.body.message).startsWith('Other articles of the project')
    if (!isNoTurn || Date.now() > until) return answer
  }
}

/** Makes the queue lose every message from now on. Then only the test runs waiting work. */
export const loseMessages = (access: Pick<StackAccess, 'qstashUrl'>) =>
  tell(access.qstashUrl, '/_delivery_faults', { drop: 'before' })

export const loseNoMessages = (access: Pick<StackAccess, 'qstashUrl'>) => tell(access.qstashUrl, '/_delivery_faults')

/** Waits until all work from making the scene is done. */
export const whenMade = (scene: Scene) =>
  expect
    .poll(() =>
      scene.rows(sql`select job, last_error from outbox
        where account_id = ${scene.api.accountId}::int and done_at is null and dead_at is null`),
    )
    .toEqual([])
