import { REVISION_FIELDS } from '../../content/articles/fields.ts'

/** Call that a caller can make instead of an undo. */
type Call = { method: string; path: string; body?: Record<string, unknown>; why: string }

/** Chosen change, from the audit log. */
export type Entry = {
  id: number
  at: Date
  action: string
  subject: string
  detail: Record<string, unknown>
  articleId: number | null
  isTakenBack: boolean
  changedBy: string | null
}

/** Outcome of one change. */
export type Outcome = {
  result: 'undone' | 'not_undone'
  message: string
  /** Fields of the article that have their earlier values again. */
  restored?: readonly string[]
  next_calls?: Call[]
}

/** Current state of an article. */
type ArticleState = {
  id: number
  isLive: boolean
  isHeld: boolean
  isWritten: boolean
  wasSent: boolean
  canUnpublish: boolean
  platform: string | null
}

type PostState = { id: number; status: string; maybeSent: boolean }
type SuggestionState = { id: number; status: string }

/** One call of a verb, and the changes that it undoes, newest first. */
export type Step =
  | {
      verb: 'unpublish' | 'delete' | 'release' | 'restore' | 'restore_sent' | 'resend' | 'roll_back'
      articleId: number
      entries: readonly Entry[]
    }
  | { verb: 'delete_post'; postId: number; entries: readonly Entry[] }
  | { verb: 'reject'; suggestionId: number; entries: readonly Entry[] }

/** Plan for the changes of one thing: outcomes that are known already, and steps to run in order. */
export type Plan = { known: Map<number, Outcome>; steps: Step[] }

const DONE_MESSAGES: Record<Exclude<Step['verb'], 'restore'>, string> = {
  unpublish: 'The post is taken down; the article is a draft.',
  delete: 'The draft is deleted. Nothing of it was sent anywhere.',
  release: 'The adopted article is forgotten. Its post stays at the site.',
  restore_sent: 'The article is a draft and has its text from before the change again.',
  resend: 'The article and its post have their text from before the change again.',
  roll_back: 'The site shows its version from before the change again.',
  delete_post: 'The post is removed. Nothing of it went out.',
  reject: 'The suggestion is rejected; its rewrite, if there is one, is not published.',
}

const call = (method: string, path: string, why: string, body?: Record<string, unknown>): Call => ({
  method,
  path,
  ...(body ? { body } : {}),
  why,
})

/** Returns the outcome of a change that is not undone, with calls that the caller can make instead. */
export const notUndone = (message: string, ...next_calls: Call[]): Outcome => ({
  result: 'not_undone',
  message,
  ...(next_calls.length > 0 ? { next_calls } : {}),
})

const BEFORE: Outcome = { result: 'undone', message: 'It was already undone.' }

/** Returns the id in a subject such as `article:7`. */
export const idIn = (subject: string): number => Number(subject.slice(subject.indexOf(':') + 1))

const actorWords = (actor: string): string => {
  if (actor.startsWith('key:')) return `the key ${actor.slice(4)}`
  if (/^(?:person|editor):/.test(actor)) return 'a person'
  return actor === 'operator' ? 'the operator of the service' : 'the service'
}

/** Returns the outcome of a change that stays because the thing was changed later by another actor. */
const changedSince = (changedBy: string, ...calls: Call[]): Outcome => {
  const [actor = '', action = ''] = changedBy.split(' ')
  return notUndone(`It was changed since by ${actorWords(actor)} (${action}), so it stays as it is.`, ...calls)
}

const readArticle = (id: number) => call('GET', `/articles/${id}`, 'Shows the article as it is.')
const revisions = (id: number) => call('GET', `/articles/${id}/revisions`, 'Lists the versions, to restore one.')
const detach = (id: number) =>
  call(
    'POST',
    `/articles/${id}/detach`,
    'Detaches the article from its post, which stays at the site. The article becomes a draft.',
  )
const unpublish = (id: number) => call('POST', `/articles/${id}/unpublish`, 'Takes the post down.')

type Cleared = { steps: Step[]; known: Map<number, Outcome> }

/** Returns the outcome of a publication whose post cannot be taken down. */
const staysUp = ({ id, platform }: ArticleState): Outcome => {
  if (platform === 'webhook')
    return notUndone('A webhook has no event that takes a post down. Take it down on the site itself.', detach(id))
  if (platform === null)
    return notUndone(
      'No site is connected, so the post cannot be taken down. Take it down on the site itself.',
      detach(id),
    )
  return notUndone(
    'The post is at a site that is not connected to the project now, or that cannot take posts down. Take it down there.',
    detach(id),
  )
}

/** Outcomes of changes of an article that cannot be undone, by action. */
const FINAL: Readonly<Record<string, (id: number) => Outcome>> = {
  'article.unpublish': (id) =>
    notUndone(
      'An undo does not publish an article again.',
      call('POST', `/articles/${id}/publish`, 'Publishes the same post again.'),
    ),
  'article.detach': () => notUndone('The detached post is no longer known.'),
  'article.release': () =>
    notUndone('A released article is forgotten. Adopt its post again with POST /articles/adopt.'),
  'article.delete': () => notUndone('A person can take the article out of the bin of its site for 30 days.'),
  'article.address': (id) => notUndone('The address of a post cannot be removed.', detach(id)),
}

const hasBefore = ({ detail }: Entry): boolean => typeof detail.before === 'object' && detail.before !== null

/** Returns the earlier values that entries keep beside the revision. Entries are newest first, so the oldest value wins. */
export const valuesBefore = (entries: readonly Entry[]): Readonly<Record<string, unknown>> => {
  const { revision: _, ...values } = Object.assign({}, ...entries.map(({ detail }) => detail.before))
  return values
}

/** Returns the names of the fields that an entry changed: those with an earlier value that is stored, and the others. */
const fieldsOf = (entry: Entry): { stored: string[]; lost: string[] } => {
  const values = valuesBefore([entry])
  const changed = [...new Set([...(entry.detail.fields as readonly string[]), ...Object.keys(values)])]
  const isStored = (name: string) => name in values || REVISION_FIELDS.includes(name)
  return { stored: changed.filter(isStored), lost: changed.filter((name) => !isStored(name)) }
}

const valueWords = (value: unknown): string => {
  const words = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return words === '' ? 'none' : words
}

const lostWords = (lost: readonly string[]): string =>
  `Earlier values of ${lost.join(', ')} are not stored, so the present ones stay.`

/** Returns the outcome of an entry whose fields were restored by a step. The values are those from before the oldest entry. */
const restoredFields = (entry: Entry, { entries }: Step): Outcome => {
  const { stored, lost } = fieldsOf(entry)
  const values = valuesBefore(entries)
  const named = stored.map((name) => (name in values ? `${name} (${valueWords(values[name])})` : name))
  const sentences = [`Restored: ${named.join(', ')}.`, ...(lost.length > 0 ? [lostWords(lost)] : [])]
  return { result: 'undone', message: sentences.join(' '), restored: stored }
}

/** Returns the outcome of an entry that a step undid. `restored`: fields that the step sent or saved again. */
export const undone = (entry: Entry, step: Step, restored: readonly string[]): Outcome => {
  if (step.verb === 'restore') return restoredFields(entry, step)
  const message = DONE_MESSAGES[step.verb]
  return { result: 'undone', message, ...(restored.length > 0 ? { restored } : {}) }
}

/** Plans the changes of one article, newest first. Changes that one call can undo become one step. */
const planArticle = (entries: readonly Entry[], state: ArticleState | undefined): Cleared => {
  const known = new Map<number, Outcome>()
  const steps: Step[] = []
  const [newest] = entries
  if (!newest) return { known, steps }
  if (!state) {
    for (const entry of entries)
      known.set(entry.id, FINAL[entry.action]?.(0) ?? notUndone('The article no longer exists.'))
    return { known, steps }
  }
  const { id } = state
  let isLive = state.isLive
  let wasSent = state.wasSent
  let barrier: Outcome | undefined
  let live: Entry[] = []
  let draft: Entry[] = []
  const settle = () => {
    const oldest = live.at(-1)
    if (oldest)
      steps.push({ verb: oldest.action === 'article.rollback' ? 'roll_back' : 'resend', articleId: id, entries: live })
    if (draft.length > 0) steps.push({ verb: 'restore', articleId: id, entries: draft })
    live = []
    draft = []
  }
  const stop = (entry: Entry, outcome: Outcome, after: Outcome = outcome) => {
    settle()
    known.set(entry.id, outcome)
    barrier = after
  }
  const stays = (entry: Entry) =>
    notUndone(
      `A later change of the article (${entry.action}, entry ${entry.id}) stays, so this one stays too.`,
      readArticle(id),
    )

  for (const entry of entries) {
    const { action } = entry
    if (barrier) known.set(entry.id, barrier)
    else if (state.isHeld || state.isWritten)
      known.set(
        entry.id,
        notUndone(
          state.isWritten
            ? 'The service is writing the article. Repeat the call when that has ended.'
            : 'The article is on its way to the site. Repeat the call when that has ended.',
          readArticle(id),
        ),
      )
    else if (entry.changedBy !== null)
      stop(entry, changedSince(entry.changedBy, isLive ? unpublish(id) : revisions(id)))
    else if (FINAL[action]) stop(entry, FINAL[action](id), stays(entry))
    else if (action === 'article.publish') {
      if (!isLive) known.set(entry.id, notUndone('The article is no longer published.', readArticle(id)))
      else if (state.canUnpublish) {
        steps.push({ verb: 'unpublish', articleId: id, entries: [entry] })
        // A later sync also changed the article, so its content is restored too.
        if (live.length > 0) steps.push({ verb: 'restore_sent', articleId: id, entries: live })
        live = []
        isLive = false
        wasSent = true
      } else {
        const published = notUndone(
          'The article is published, and its post stays. Change it with a sync.',
          revisions(id),
        )
        stop(entry, staysUp(state), published)
      }
    } else if (action === 'article.sync' || action === 'article.rollback') {
      if (isLive) live.push(entry)
      else
        known.set(
          entry.id,
          notUndone('The article is no longer published, so readers do not see the change.', revisions(id)),
        )
    } else if (action === 'article.send_as_draft') {
      wasSent = true
      known.set(entry.id, notUndone('The site keeps the draft it was sent. Delete it there.', readArticle(id)))
    } else if (action === 'article.update') {
      if (isLive)
        stop(entry, notUndone('The article is published. Restore a version with "sync": true.', revisions(id)))
      else if (!hasBefore(entry))
        stop(
          entry,
          notUndone('The earlier state was not stored with this change. Restore a version instead.', revisions(id)),
          stays(entry),
        )
      else if (fieldsOf(entry).stored.length > 0) draft.push(entry)
      else known.set(entry.id, notUndone(lostWords(fieldsOf(entry).lost), readArticle(id)))
    } else if (action === 'article.adopt') {
      settle()
      steps.push({ verb: 'release', articleId: id, entries: [entry] })
    } else if (action === 'article.create' || action === 'article.generate') {
      if (isLive || wasSent)
        stop(
          entry,
          notUndone(
            'The article was sent to a site, so it is kept.',
            ...(isLive ? [detach(id)] : [call('DELETE', `/articles/${id}`, 'Deletes the draft.')]),
          ),
        )
      else {
        steps.push({ verb: 'delete', articleId: id, entries: [...draft, entry] })
        draft = []
      }
    } else known.set(entry.id, notUndone('This kind of change cannot be undone.', readArticle(id)))
  }
  settle()
  return { known, steps }
}

const isMadeHere = (entries: readonly Entry[]): boolean =>
  // The entry of a new post names its network or article. The entry of a post that is sent again does not.
  entries.some(({ detail }) => detail.platform !== undefined || detail.article_id !== undefined)

const planPost = (entries: readonly Entry[], state: PostState | undefined): Cleared => {
  const known = new Map<number, Outcome>()
  const [newest] = entries
  const id = idIn(newest?.subject ?? '')
  const read = call('GET', `/social/posts/${id}`, 'Shows the post as it is.')
  const all = (outcome: Outcome): Cleared => {
    for (const entry of entries) known.set(entry.id, entry.changedBy ? changedSince(entry.changedBy) : outcome)
    return { known, steps: [] }
  }
  if (!state) return all(notUndone('The post no longer exists.'))
  if (state.status === 'published' || state.maybeSent)
    return all(notUndone('The post is out, or may be. Delete it at the network.', read))
  if (!['draft', 'scheduled', 'failed'].includes(state.status))
    return all(notUndone('The post is on its way. Repeat the call in a moment.', read))
  if (entries.some(({ changedBy }) => changedBy !== null))
    return all(notUndone('Somebody changed the post since, so it stays as it is.', read))
  if (!isMadeHere(entries))
    return all(
      notUndone(
        'Somebody else made the post, so it is not removed.',
        call('DELETE', `/social/posts/${id}`, 'Removes the post, so that it does not go out.'),
      ),
    )
  return { known, steps: [{ verb: 'delete_post', postId: id, entries }] }
}

const REJECTED = ['suggestion.create', 'suggestion.approve', 'suggestion.regenerate']

const planSuggestion = (entries: readonly Entry[], state: SuggestionState | undefined): Cleared => {
  const known = new Map<number, Outcome>()
  const id = idIn(entries[0]?.subject ?? '')
  const read = call('GET', `/suggestions/${id}`, 'Shows the suggestion as it is.')
  const open: Entry[] = []
  for (const entry of entries) {
    if (entry.changedBy) known.set(entry.id, changedSince(entry.changedBy, read))
    else if (!REJECTED.includes(entry.action))
      known.set(entry.id, notUndone('A decision on a suggestion stays; a later run may suggest it again.', read))
    else if (!state || !['pending', 'approved', 'rewriting', 'ready', 'failed'].includes(state.status))
      known.set(entry.id, notUndone(`The suggestion is ${state?.status ?? 'gone'}.`, read))
    else open.push(entry)
  }
  return { known, steps: open.length > 0 ? [{ verb: 'reject', suggestionId: id, entries: open }] : [] }
}

/** Outcomes, with advice, of changes that no verb can undo, by action. */
const INSTEAD: Readonly<Record<string, (id: number) => Outcome>> = {
  'project.create': (id) =>
    notUndone(
      'A project cannot be deleted. Archive it instead.',
      call('POST', `/projects/${id}/archive`, 'Frees the slot. The data stays.'),
    ),
  'project.update': (id) =>
    notUndone(
      'Earlier settings are not stored. Set them again.',
      call('GET', `/projects/${id}`, 'Shows the settings.'),
    ),
  'project.article_plan': (id) =>
    notUndone(
      'The earlier plan is not stored. Choose it again.',
      call('GET', `/projects/${id}`, 'Shows the plan and those that can be chosen.'),
    ),
  'project.archive': (id) =>
    notUndone(
      'An undo does not make a project active again.',
      call('POST', `/projects/${id}/unarchive`, 'Makes the project active again. This uses a project slot.'),
    ),
  'project.unarchive': (id) =>
    notUndone(
      'An undo does not archive a project.',
      call('POST', `/projects/${id}/archive`, 'Frees the slot. The data stays.'),
    ),
  'project.onboarded': (id) =>
    notUndone(
      'A month of articles was planned. Delete those that are not wanted.',
      call('GET', `/articles?project_id=${id}&status=Planned`, 'Lists the planned articles.'),
    ),
  'integration.connect': (id) =>
    notUndone('An undo does not disconnect a site.', call('DELETE', `/integrations/${id}`, 'Disconnects the site.')),
  'integration.disconnect': () => notUndone('Its secrets are deleted. Connect the site again.'),
  'key.create': (id) =>
    notUndone(
      'An undo does not revoke a key.',
      call('DELETE', `/keys/${id}`, 'Revokes the key; needs the scope `admin`.'),
    ),
  'crowdwork.create': () => notUndone('A started campaign cannot be undone.'),
  'profile.reply': () => notUndone('The reply is public. Remove it with DELETE /profile/reviews/reply.'),
}

const planOther = (entries: readonly Entry[]): Cleared => ({
  known: new Map(
    entries.map((entry) => [
      entry.id,
      INSTEAD[entry.action]?.(idIn(entry.subject)) ??
        notUndone('This kind of change cannot be undone.', call('GET', '/audit-log', 'Shows the change in full.')),
    ]),
  ),
  steps: [],
})

/** Current state of the changed things, by id. */
export type Now = {
  articles: ReadonlyMap<number, ArticleState>
  posts: ReadonlyMap<number, PostState>
  suggestions: ReadonlyMap<number, SuggestionState>
}

const thingOf = ({ articleId, subject }: Entry): string => (articleId === null ? subject : `article:${articleId}`)

const planThing = (thing: string, entries: readonly Entry[], now: Now): Cleared => {
  const id = idIn(thing)
  if (thing.startsWith('article:')) return planArticle(entries, now.articles.get(id))
  if (thing.startsWith('social_post:')) return planPost(entries, now.posts.get(id))
  if (thing.startsWith('suggestion:')) return planSuggestion(entries, now.suggestions.get(id))
  return planOther(entries)
}

/**
 * Returns a plan for each changed thing: known outcomes, and the calls that undo the rest. `entries` are newest first.
 */
export const planOf = (entries: readonly Entry[], now: Now): Plan[] => {
  const things = new Map<string, Entry[]>()
  const known = new Map<number, Outcome>()
  for (const entry of entries) {
    if (entry.isTakenBack) known.set(entry.id, BEFORE)
    else things.set(thingOf(entry), [...(things.get(thingOf(entry)) ?? []), entry])
  }
  return [{ known, steps: [] }, ...[...things].map(([thing, own]) => planThing(thing, own, now))]
}
