/** Article as a caller sees it, and the facts that decide its future. */
export type ModelArticle = {
  status: 'Draft' | 'Planned' | 'Published'
  date: 'past' | 'future' | null
  /** The mark in its content; null when it has none. */
  mark: string | null
  long: boolean
  title: string
  claimed: boolean
  state: 'idle' | 'failed'
  /** True if the clock took it for its date and it got no other date since. */
  taken: boolean
  revision: number
  /** Title and content of every revision. */
  versions: Record<number, { title: string; mark: string | null; long: boolean }>
  /**
   * True if its text may be the writer's or the caller's, and it may be sent or still wait. The model adopts what it
   * sees.
   */
  open?: boolean
  /** True if the service wrote it and it failed its checks. Only another text, or a call by hand, releases it. */
  unfit?: boolean
}

/** Articles by their place in the sequence; null after deletion. */
export type Model = {
  articles: (ModelArticle | null)[]
  publishing: string
  receiver: 'ok' | 'reject'
  writer: boolean
}

export type Words = { mark: string | null; long: boolean }

export type Operation =
  | { kind: 'write'; article: number; words: Words }
  | { kind: 'retitle'; article: number; title: string }
  | { kind: 'plan'; article: number; date: 'past' | 'future' | undefined }
  | { kind: 'make_draft' | 'unschedule' | 'publish' | 'remove' | 'brief'; article: number }
  | { kind: 'reschedule'; article: number; date: 'past' | 'future' }
  | { kind: 'sync'; article: number; words: Words }
  | { kind: 'restore'; article: number; revision: number }

/** Expected answer: a status and, for refusals, a code; and the state after it. */
type Step = { answer: string; model: Model }

const refused = (model: Model, answer: string): Step => ({ answer, model })

const put = (model: Model, place: number, article: ModelArticle | null): Model => ({
  ...model,
  articles: model.articles.map((a, n) => (n === place ? article : a)),
})

const ends = (model: Model, place: number, answer: string, article: ModelArticle | null): Step => ({
  answer,
  model: put(model, place, article),
})

/** Returns the article with a new revision of its present text. */
const revised = (a: ModelArticle): ModelArticle => {
  const revision = a.revision + 1
  return { ...a, revision, versions: { ...a.versions, [revision]: { title: a.title, mark: a.mark, long: a.long } } }
}

type Put = { words?: Words; title?: string; status?: 'Draft' | 'Planned'; date?: 'past' | 'future' | null }

/** A PUT of fields on an article that is not published. */
const saved = (a: ModelArticle, { words, title, status, date }: Put): ModelArticle => {
  const after = { ...a, ...(words ?? {}), title: title ?? a.title }
  after.status = status ?? (date === null ? 'Draft' : a.status)
  if (date !== undefined) after.date = date
  const moved = after.status !== a.status
  // A claim stays until the content is emptied, or the article is a draft.
  const isEmptied = words !== undefined && words.mark === null
  if (words || moved) after.claimed = after.status === 'Planned' && (after.long || (a.claimed && !isEmptied))
  if (date !== undefined || moved) after.taken = false
  const changed = after.title !== a.title || after.mark !== a.mark
  // Every visible change of a failed article releases it, as another text or date does.
  if (a.state === 'failed' && (words || (!a.unfit && (date !== undefined || moved || changed)))) {
    after.state = 'idle'
    after.taken = false
    after.unfit = false
  }
  return changed ? revised(after) : after
}

const fieldsOf = (op: Operation, a: ModelArticle): Put | undefined => {
  switch (op.kind) {
    case 'write':
      return { words: op.words }
    case 'retitle':
      return { title: op.title }
    case 'plan':
      return { status: 'Planned', ...(op.date === undefined ? {} : { date: op.date }) }
    case 'make_draft':
      return { status: 'Draft' }
    case 'unschedule':
      return { date: null }
    case 'reschedule':
      return { date: op.date }
    case 'restore': {
      const { title, mark, long } = a.versions[op.revision] ?? a
      return { title, words: { mark, long } }
    }
    default:
      return undefined
  }
}

/** Returns an article after one attempt to send it. */
const sent = (a: ModelArticle, receiver: Model['receiver'], live: boolean): ModelArticle =>
  receiver === 'reject'
    ? { ...a, state: 'failed' }
    : { ...a, state: 'idle', taken: false, unfit: false, status: live ? 'Published' : 'Draft' }

const syncs = (model: Model, place: number, a: ModelArticle, words: Words): Step => {
  if (a.status !== 'Published') return refused(model, '400 not_published')
  const after = revised({ ...a, ...words, state: model.receiver === 'ok' ? 'idle' : 'failed' })
  return ends(model, place, model.receiver === 'ok' ? '200' : '502 sync_failed', after)
}

const publishes = (model: Model, place: number, a: ModelArticle): Step => {
  if (a.status === 'Published') return refused(model, '200')
  if (a.mark === null) return refused(model, '400 empty_content')
  return ends(model, place, model.receiver === 'ok' ? '200' : '202', sent(a, model.receiver, true))
}

/** Returns the answer and the changes of one call, by the state table as a caller knows it. */
const step = (model: Model, op: Operation): Step => {
  const a = model.articles[op.article]
  if (!a) return refused(model, '404 not_found')
  if (op.kind === 'brief') return refused(model, `200 ${a.status === 'Planned'}`)
  if (op.kind === 'sync') return syncs(model, op.article, a, op.words)
  if (op.kind === 'publish') return publishes(model, op.article, a)
  if (a.status === 'Published') return refused(model, '400 published_article')
  if (op.kind === 'remove') return ends(model, op.article, '200', null)
  const fields = fieldsOf(op, a)
  return fields ? ends(model, op.article, '200', saved(a, fields)) : refused(model, '500')
}

/**
 * Returns the model after a minute of the clock: due articles go out as the project is set.
 *
 * On a plan with the writer, the service may first write unclaimed articles. So only claimed ones are predictable.
 */
export const minute = (model: Model): Model => {
  const due = (a: ModelArticle | null): ModelArticle | null => {
    if (a?.status !== 'Planned' || a.date !== 'past' || a.taken || a.unfit) return a
    if (model.writer && !a.claimed) return { ...a, open: true }
    if (model.publishing === 'Save as Drafts') return { ...a, status: 'Draft', state: 'idle' }
    const taken: ModelArticle = { ...a, taken: true, state: 'idle' }
    return a.mark === null
      ? { ...taken, state: 'failed' }
      : sent(taken, model.receiver, model.publishing === 'Publish Immediately')
  }
  return { ...model, articles: model.articles.map(due) }
}

const CONFLICTS = ['409 publish_in_progress', '409 sync_in_progress', '409 edit_conflict']

const SENDING: readonly string[] = ['publish', 'sync']

/** Returns the outcomes of reading an article's brief while another call sends it. Then it cannot be claimed. */
const underWay = (model: Model, a: Operation, b: Operation): { answers: [string, string]; model: Model }[] => {
  const during = '200 false'
  if (b.kind === 'brief' && SENDING.includes(a.kind)) {
    const { answer, model: end } = step(model, a)
    return [{ answers: [answer, during], model: end }]
  }
  if (a.kind === 'brief' && SENDING.includes(b.kind)) {
    const { answer, model: end } = step(model, b)
    return [{ answers: [during, answer], model: end }]
  }
  return []
}

/** Returns every outcome of two calls at once: one after the other, or one refused because of the other. */
export const both = (model: Model, a: Operation, b: Operation): { answers: [string, string]; model: Model }[] => {
  const [ab1, ba1] = [step(model, a), step(model, b)]
  const [ab2, ba2] = [step(ab1.model, b), step(ba1.model, a)]
  const orders = [
    { answers: [ab1.answer, ab2.answer] as [string, string], model: ab2.model },
    { answers: [ba2.answer, ba1.answer] as [string, string], model: ba2.model },
  ]
  if (a.article !== b.article) return orders
  return [
    ...orders,
    ...underWay(model, a, b),
    ...CONFLICTS.flatMap((conflict) => [
      { answers: [ab1.answer, conflict] as [string, string], model: ab1.model },
      { answers: [conflict, ba1.answer] as [string, string], model: ba1.model },
    ]),
  ]
}
