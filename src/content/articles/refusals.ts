import { unarchiving } from '../../accounts/projects/scope.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import { type Move, type Positioned, type RefusalCode, type Status, stepOf } from './transitions.ts'

/** Facts about an article that decide which calls work next. */
type Facts = {
  status?: Status
  /** Address of the post, or null if it is not known. */
  url?: string | null
  projectId?: number
  /** True if it has content and a target. */
  canPublish?: boolean
  /** True if its project is archived. */
  isArchived?: boolean
}
type Article = Positioned & Facts & { id: number }
type Words = { message: string; extras?: ErrorExtras }

const call = (method: string, path: string, why: string): ErrorExtras => ({ next_calls: [{ method, path, why }] })

const syncCall = (id: number) => call('POST', `/articles/${id}/sync`, 'Sends edits of a published article to the site.')

/** Returns the call that makes a published article a draft and keeps its post on the site. */
export const detachCall = (id: number) => ({
  method: 'POST',
  path: `/articles/${id}/detach`,
  why: 'Detaches the article from its post, which stays at the site. The article becomes a draft.',
})

/**
 * Returns the error for deleting a published article, with the calls that make it a draft.
 *
 * `canUnpublish` is true if the connected site can remove the post.
 */
export const publishedHere = (id: number, canUnpublish: boolean): ApiError => {
  const unpublish = {
    method: 'POST',
    path: `/articles/${id}/unpublish`,
    why: 'Takes the post down; the article is a draft then.',
  }
  const calls = [...(canUnpublish ? [unpublish] : []), detachCall(id)]
  return new ApiError(
    'published_article',
    `A published article cannot be deleted. Make it a draft first: ${calls.map(({ method, path }) => `${method} ${path}`).join(' or ')}.`,
    { next_calls: calls },
  )
}

const published = (move: Move, id: number, { url, projectId = 0, isArchived = false }: Facts): Words => {
  const address = {
    method: 'POST',
    path: `/articles/${id}/address`,
    why: 'Tells where readers find the post, in `url`.',
  }
  const { next_calls = [] } = syncCall(id)
  return {
    message: `A published article cannot be ${move === 'restore' ? 'restored' : 'changed'} here alone; send edits with POST /articles/${id}/sync, or with "sync": true.`,
    extras: {
      ...(isArchived ? unarchiving(projectId) : { next_calls: [...next_calls, ...(url === null ? [address] : [])] }),
      sync_required: true,
    },
  }
}

const beingPublished = (move: Move): string =>
  move === 'publish'
    ? 'The article is being published at this moment. Nothing was sent a second time.'
    : 'The article is being published at this moment. Repeat the call when that has ended.'

/** Names of moves that need a published article, for the message. */
const NOTHING_TO: Partial<Record<Move, string>> = {
  unpublish: 'take down',
  detach: 'let go of',
  sync: 'sync',
  rollback: 'roll back',
}

/** Message and extras for each refusal code of the state table. */
const WORDS: Record<RefusalCode, (move: Move, id: number, facts: Facts) => Words> = {
  published_article: published,
  already_being_written: (move) => ({
    message: `The service is writing this article. Wait until it is finished, then ${move === 'publish' || move === 'delete' ? move : 'change'} it.`,
    extras: { retry_after: 60 },
  }),
  publish_in_progress: (move) => ({ message: beingPublished(move), extras: { retry_after: 5 } }),
  not_published: (move, id, { status, canPublish = false }) => ({
    message: `The article is not published, so there is nothing to ${NOTHING_TO[move] ?? 'change at the site'}.`,
    extras: {
      next_calls: [
        ...(canPublish ? [{ method: 'POST', path: `/articles/${id}/publish`, why: 'Publishes the article.' }] : []),
        {
          method: 'PUT',
          path: `/articles/${id}`,
          body: { status: status === 'Planned' ? 'Planned' : 'Draft' },
          why: 'Changes the article before it is published: send the fields to change.',
        },
      ],
    },
  }),
  sync_in_progress: () => ({
    message: 'Another change of the published article is under way. Nothing was saved or sent.',
    extras: { retry_after: 5 },
  }),
  edit_conflict: () => ({
    message: 'The article was changed by someone else at the same moment. Read it again and repeat.',
    extras: { retry_after: 1 },
  }),
}

/** Returns the error for a refusal code, also if another request changed the article first. */
export const refusal = (code: RefusalCode, move: Move, id: number, facts: Facts = {}): ApiError => {
  const { message, extras } = WORDS[code](move, id, facts)
  return new ApiError(code, message, extras)
}

/** Returns the next status of the article after a move. Throws the error if the state table refuses it. */
export const nextStatus = (move: Move, article: Article, now: Date) => {
  const step = stepOf(move, article, now)
  if (typeof step === 'string') return step
  throw refusal(step.refusal, move, article.id, article)
}
