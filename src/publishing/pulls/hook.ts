import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { Db } from '../../platform/db/client.ts'
import { moveJob } from '../../platform/jobs/enqueue.ts'
import { base64, hmacSha256, isHmacSha256, unseal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { deliverJob, liveChangeJob } from '../jobs.ts'
import { GIT_EVENTS_PATH } from './path.ts'

/** Largest body of an event that is read. Hosts do not send one again, so a larger one waits for the next look. */
export const MAX_EVENT_BYTES = 1024 * 1024

/** Returns the address for the events of an integration's repository. */
export const eventsUrl = (publicUrl: string, integration: number): string =>
  `${publicUrl}${GIT_EVENTS_PATH}/${integration}`

const repositoryById = (db: Db, id: number) =>
  db
    .select({ id: integrations.id, projectId: integrations.projectId, sealedSecrets: integrations.sealedSecrets })
    .from(integrations)
    .where(and(eq(integrations.id, id), eq(integrations.platform, 'git'), eq(integrations.status, 'Active')))

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16))

const keyOf = (secret: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(secret))

/** Returns a header of an event; undefined if it is missing. */
type HeaderOf = (name: string) => string | undefined

/**
 * True if a host signed the body with the secret: GitHub with `sha256=` and the hexadecimal HMAC, Gitea and Forgejo with the HMAC alone.
 * GitLab sends the secret itself, which is compared in constant time.
 */
const isSigned = async (secret: string, header: HeaderOf, body: string): Promise<boolean> => {
  if (secret === '') return false
  const token = header('x-gitlab-token')
  if (token !== undefined) return await isHmacSha256(keyOf(secret), token, await hmacSha256(keyOf(secret), secret))
  const given = header('x-hub-signature-256') ?? header('x-gitea-signature') ?? header('x-forgejo-signature') ?? ''
  const [, hex] = /^(?:sha256=)?([0-9a-f]{64})$/.exec(given) ?? []
  return hex !== undefined && (await isHmacSha256(keyOf(secret), body, base64(hexBytes(hex))))
}

// Gitea names the branch in `label`, even after it was deleted. GitHub has the owner before it.
const Head = z.object({ ref: z.string(), label: z.optional(z.string()) })
const PullEvent = z.union([
  z.object({ pull_request: z.object({ head: Head }) }),
  z.object({ object_kind: z.literal('merge_request'), object_attributes: z.object({ source_branch: z.string() }) }),
])

/** Returns the article whose changes the pull or merge request of an event has. */
const articleOf = (event: z.infer<typeof PullEvent> | undefined): number | undefined => {
  if (event === undefined) return undefined
  if ('object_attributes' in event) return articleIn(event.object_attributes.source_branch)
  const { ref, label } = event.pull_request.head
  return articleIn(ref) ?? (label === undefined ? undefined : articleIn(label))
}

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

type Event = { integration: number; header: HeaderOf; body: string }

/**
 * Handles an event of a connected repository, if it is signed with the secret of the integration.
 *
 * It only brings the next look at a pull request forward: the state is read from the host. So events may come twice, late and in any
 * order.
 */
export const receiveEvent = async (
  deps: Pick<Deps, 'db' | 'now' | 'settings' | 'wakeQueue'>,
  { integration, header, body }: Event,
): Promise<{ status: 200 | 401; said: string }> => {
  const [repository] = await repositoryById(deps.db, integration)
  const { signing_secret: secret = '' } = repository
    ? (JSON.parse(
        await unseal(deps.settings.secretsKeys, repository.sealedSecrets, `integration:${repository.id}`),
      ) as {
        signing_secret?: string
      })
    : {}
  if (!repository || !(await isSigned(secret, header, body)))
    return { status: 401, said: 'The signature is not that of the connected repository.' }
  const article = articleOf(PullEvent.safeParse(parsed(body)).data)
  if (article === undefined) return { status: 200, said: 'The event has no effect here.' }
  await lookNow(deps, repository, article)
  await deps.wakeQueue()
  return { status: 200, said: 'The pull request is looked at.' }
}
