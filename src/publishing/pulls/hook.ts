import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { Db } from '../../platform/db/client.ts'
import { moveJob } from '../../platform/jobs/enqueue.ts'
import { base64, isHmacSha256, unseal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { deliverJob, liveChangeJob } from '../jobs.ts'
import { GITHUB_EVENTS_PATH } from './path.ts'

/** Largest body of an event that is read. GitHub does not send one again, so a larger one waits for the next look. */
export const MAX_EVENT_BYTES = 1024 * 1024

/** Returns the address for the events of an integration's repository. */
export const eventsUrl = (publicUrl: string, integration: number): string =>
  `${publicUrl}${GITHUB_EVENTS_PATH}/${integration}`

const repositoryById = (db: Db, id: number) =>
  db
    .select({ id: integrations.id, projectId: integrations.projectId, sealedSecrets: integrations.sealedSecrets })
    .from(integrations)
    .where(and(eq(integrations.id, id), eq(integrations.platform, 'git'), eq(integrations.status, 'Active')))

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16))

/** True if GitHub signed the body with the secret. The header is `sha256=` and 64 hexadecimal digits. */
const isSigned = async (secret: string, header: string, body: string): Promise<boolean> => {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header) ?? []
  if (hex === undefined || secret === '') return false
  return await isHmacSha256(Uint8Array.from(new TextEncoder().encode(secret)), body, base64(hexBytes(hex)))
}

const PullEvent = z.object({ pull_request: z.object({ head: z.object({ ref: z.string() }) }) })

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Returns the id of the article whose changes a branch has. Its name ends in the installation, the id and perhaps a generation. */
const articleIn = (branch: string): number | undefined => {
  const [, id] = /\/(?:.*-)?[0-9a-f]{8}-(\d{1,9})(?:-\d{1,9})?$/.exec(branch) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Moves the next look at an article's pull request to now. An article of another project is not found. */
const lookNow = async (
  deps: Pick<Deps, 'db' | 'now'>,
  repository: { id: number; projectId: number },
  article: number,
) => {
  const { db, now } = deps
  const its = sql`select ${articles.id} from ${articles} where ${and(
    eq(articles.id, article),
    eq(articles.projectId, repository.projectId),
    eq(articles.publishState, 'awaiting_merge'),
  )}`
  const waiting = sql`select ${deliveries.id} from ${deliveries} where ${and(
    sql`${deliveries.articleId} in (${its})`,
    eq(deliveries.integrationId, repository.id),
    eq(deliveries.status, 'awaiting_merge'),
  )}`
  const move = { if: 'always', runAt: now() } as const
  await sendBatch(
    db,
    { delivery: moveJob(db, deliverJob, waiting, move), change: moveJob(db, liveChangeJob, its, move) },
    { unaudited: 'nothing happened yet; the state is read from the host' },
  )
}

type Event = { integration: number; event: string; signature: string; body: string }

/**
 * Handles an event of a connected repository, if it is signed with the secret of the integration.
 *
 * It only brings the next look at a pull request forward: the state is read from the host. So events may come twice, late and in any
 * order.
 */
export const receiveEvent = async (
  deps: Pick<Deps, 'db' | 'now' | 'settings' | 'wakeQueue'>,
  { integration, event, signature, body }: Event,
): Promise<{ status: 200 | 401; said: string }> => {
  const [repository] = await repositoryById(deps.db, integration)
  const { signing_secret: secret = '' } = repository
    ? (JSON.parse(
        await unseal(deps.settings.secretsKeys, repository.sealedSecrets, `integration:${repository.id}`),
      ) as {
        signing_secret?: string
      })
    : {}
  if (!repository || !(await isSigned(secret, signature, body)))
    return { status: 401, said: 'The signature is not that of the connected repository.' }
  const pull = event === 'pull_request' ? PullEvent.safeParse(parsed(body)).data?.pull_request : undefined
  const article = pull && articleIn(pull.head.ref)
  if (article === undefined) return { status: 200, said: 'The event has no effect here.' }
  await lookNow(deps, repository, article)
  await deps.wakeQueue()
  return { status: 200, said: 'The pull request is looked at.' }
}
