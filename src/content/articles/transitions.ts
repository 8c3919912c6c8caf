import type { ARTICLE_STATUSES, PublishState } from '../../../schema/values/articles.ts'

export type Status = (typeof ARTICLE_STATUSES)[number]

/**
 * State of an article: its status, or the work that has a lease on it.
 *
 * `Generating` includes planned articles that the writer has claimed. `Publishing` is for unpublished articles, `Syncing` for
 * published ones.
 */
type Standing = Status | 'Publishing' | 'Syncing'

/** Moves of articles. `go_live`, `send_draft` and `keep_draft` happen on an article's date, by publishing_status. */
export type Move =
  | 'edit'
  | 'plan'
  | 'make_draft'
  | 'unschedule'
  | 'restore'
  | 'delete'
  | 'release'
  | 'publish'
  | 'sync'
  | 'rollback'
  | 'unpublish'
  | 'detach'
  | 'go_live'
  | 'send_draft'
  | 'keep_draft'
  | 'write'
  | 'finish_generation'
  | 'finish_planned'

/** Error code of a refused move. */
export type RefusalCode =
  | 'published_article'
  | 'already_being_written'
  | 'publish_in_progress'
  | 'not_published'
  | 'sync_in_progress'
  | 'edit_conflict'

type Refusal = { refusal: RefusalCode }
type Step = Status | 'removed' | 'unchanged' | Refusal

const no = (refusal: RefusalCode): Refusal => ({ refusal })
const WRITTEN = no('already_being_written')
const BUSY = no('publish_in_progress')
const LIVE = no('published_article')

/** Returns the steps of a move that needs an unpublished article without a lease, such as an edit. */
const open = (Draft: Status | 'removed', Planned: Status | 'removed'): Record<Standing, Step> => ({
  Draft,
  Planned,
  Generating: WRITTEN,
  Publishing: BUSY,
  Published: LIVE,
  Syncing: LIVE,
})

/** Returns the steps of a move that starts from one state. Every other state refuses it. */
const only = (from: 'Planned' | 'Generating', to: Status): Record<Standing, Step> => ({
  Draft: no('edit_conflict'),
  Planned: no('edit_conflict'),
  Generating: no('edit_conflict'),
  Publishing: no('edit_conflict'),
  Published: no('edit_conflict'),
  Syncing: no('edit_conflict'),
  [from]: to,
})

const NOT_LIVE = no('not_published')

/** Returns the steps of a move that needs a published article without a sync in progress. */
const whileLive = (to: Status): Record<Standing, Step> => ({
  Draft: NOT_LIVE,
  Planned: NOT_LIVE,
  Generating: NOT_LIVE,
  Publishing: NOT_LIVE,
  Published: to,
  Syncing: no('sync_in_progress'),
})

/** State table of articles: the result of each move in each state, or the code that refuses it. */
const TRANSITIONS: Record<Move, Record<Standing, Step>> = {
  edit: open('Draft', 'Planned'),
  restore: open('Draft', 'Planned'),
  plan: open('Planned', 'Planned'),
  make_draft: open('Draft', 'Draft'),
  unschedule: open('Draft', 'Draft'),
  delete: open('removed', 'removed'),
  release: { ...open('removed', 'removed'), Published: 'removed', Syncing: no('sync_in_progress') },
  // A published article gets the same answer again, and nothing is sent. A sync in progress does not change that.
  publish: { ...open('Published', 'Published'), Published: 'unchanged', Syncing: 'unchanged' },
  sync: whileLive('Published'),
  rollback: whileLive('Published'),
  unpublish: whileLive('Draft'),
  detach: whileLive('Draft'),
  go_live: only('Planned', 'Published'),
  send_draft: only('Planned', 'Draft'),
  keep_draft: only('Planned', 'Draft'),
  write: only('Planned', 'Generating'),
  finish_generation: only('Generating', 'Draft'),
  finish_planned: only('Generating', 'Planned'),
}

/** Columns that determine the state of an article. */
export type Positioned = {
  status: Status
  writingStartedAt: Date | null
  publishState: PublishState
  publishLeaseUntil: Date | null
}

/** Returns the state of an article at an instant. Expired leases are ignored. */
export const stateAt = (article: Positioned, now: Date): Standing => {
  const held =
    article.publishState === 'publishing' && article.publishLeaseUntil !== null && article.publishLeaseUntil > now
  if (article.status === 'Published') return held ? 'Syncing' : 'Published'
  if (article.status === 'Generating' || article.writingStartedAt !== null) return 'Generating'
  return held ? 'Publishing' : article.status
}

/** Returns the result of a move, or the code that refuses it. */
export const stepOf = (move: Move, article: Positioned, now: Date): Step => TRANSITIONS[move][stateAt(article, now)]

const STATUSES: readonly Status[] = ['Draft', 'Planned', 'Generating', 'Published']

/** Returns the statuses in which the move changes something. */
export const statusesFor = (move: Move): Status[] =>
  STATUSES.filter(
    (status) => typeof TRANSITIONS[move][status] === 'string' && TRANSITIONS[move][status] !== 'unchanged',
  )

/** True if a step is a status. */
export const isStatus = (step: Step): step is Status => STATUSES.some((status) => status === step)

/** Returns the only status that a move leads to. Throws for a move with several (`edit`, `restore`) or none (`delete`). */
export const statusAfter = (move: Move): Status => {
  const [status, ...others] = new Set(Object.values(TRANSITIONS[move]).filter(isStatus))
  if (status === undefined || others.length > 0) throw new Error(`the move "${move}" does not lead to one status`)
  return status
}

/** Status of a new article, by its origin. */
export const FIRST_STATUS = { month_plan: 'Planned', generation: 'Generating', bin: 'Draft' } as const satisfies Record<
  string,
  Status
>

type Sent = { status?: 'Draft' | 'Planned' | undefined; scheduled_date?: string | null | undefined }

/** Returns the move for a PUT with these fields. A sent status wins over a removed date. */
export const moveOf = ({ status, scheduled_date }: Sent): 'plan' | 'make_draft' | 'unschedule' | 'edit' => {
  if (status !== undefined) return status === 'Planned' ? 'plan' : 'make_draft'
  return scheduled_date === null ? 'unschedule' : 'edit'
}
