import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../../../src/platform/db/client.ts'
import { EXECUTOR_PATH } from '../../../src/platform/jobs/job.ts'
import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'

const WITHIN_MS = 60_000
const EVERY_MS = 500

type Row = { id: string; ran: boolean }

/** Adds a job that does nothing: the receipt of an article that does not exist. */
const addRow = async (run: SqlRunner, accountId: number): Promise<string> => {
  const key = `deployment-proof:${randomUUID()}`
  const [row] = await run<{ id: string }>(sql`insert into outbox (account_id, job, key, payload, run_at, offered_at)
    values (${accountId}, 'publishing.receipt', ${key}, '{"article_id": 2147483647}'::jsonb, now(), now()) returning id`)
  return String(row?.id)
}

const ranRow = async (run: SqlRunner, id: string): Promise<boolean> => {
  const [row] = await run<Row>(
    sql`select id, (done_at is not null or dead_at is not null or attempts > 0) as ran from outbox where id = ${id}`,
  )
  return row?.ran ?? true
}

/** Returns QStash's state of a message; empty if it has none. */
const fateOf = async ({ QSTASH_URL: url, QSTASH_TOKEN: token }: Settings, messageId: string): Promise<string> => {
  const answer = await callHttp('QStash', `${url}/v2/logs?messageId=${messageId}`, {
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined)
  const events = ((answer?.json as { events?: Record<string, unknown>[] } | undefined)?.events ?? []).map(
    ({ state, responseStatus, error }) => [state, responseStatus, error].filter(Boolean).join(' '),
  )
  return events.length > 0 ? ` QStash says: ${events.join('; ')}.` : ''
}

/**
 * Makes QStash deliver an outbox row to the service, and waits until `isOver`. Throws a DeployFault if it does not
 * arrive.
 */
export const bringRow = async (
  settings: Settings,
  publicUrl: string,
  id: string,
  { isOver, withinMs }: { isOver: () => Promise<boolean>; withinMs: number },
): Promise<void> => {
  const { status, json, text } = await callHttp(
    'QStash',
    `${settings.QSTASH_URL}/v2/publish/${publicUrl}${EXECUTOR_PATH}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${settings.QSTASH_TOKEN}`,
        'content-type': 'application/json',
        'upstash-retries': '1',
        'upstash-deduplication-id': `deployment-proof-${id}`,
      },
      body: JSON.stringify({ outbox_id: Number(id) }),
    },
  )
  if (status >= 300)
    throw new DeployFault(
      `QStash does not accept a message for ${publicUrl}${EXECUTOR_PATH}: ${text.slice(0, 200)}`,
      'Check QSTASH_TOKEN, and the plan: the free one allows 1,000 messages a day.',
    )
  const until = Date.now() + withinMs
  while (!(await isOver())) {
    if (Date.now() > until) {
      const fate = await fateOf(settings, String((json as { messageId?: string }).messageId))
      throw new DeployFault(
        `QStash did not deliver a job to ${publicUrl}${EXECUTOR_PATH} within ${withinMs / 1000} s.${fate}`,
        'See the message at https://console.upstash.com/qstash. A 401: the signing keys differ. A 403: Bot Fight Mode or a WAF rule of the zone refuses QStash.',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

/**
 * Sends one job through QStash, which signs it and calls the service, and waits until it ran.
 *
 * Throws a DeployFault if it did not run within a minute.
 */
export const proveQueue = async (
  settings: Settings,
  run: SqlRunner,
  accountId: number,
  publicUrl: string,
): Promise<void> => {
  const id = await addRow(run, accountId)
  await bringRow(settings, publicUrl, id, { isOver: () => ranRow(run, id), withinMs: WITHIN_MS })
  await run(sql`delete from outbox where id = ${id}`)
}
