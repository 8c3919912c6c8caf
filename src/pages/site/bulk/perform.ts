import { removeArticle } from '../../../content/articles/delete.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { errorFields } from '../../../platform/runtime/log.ts'
import { editArticle } from '../../../publishing/live/edit.ts'
import { publishArticle } from '../../../publishing/send/publish.ts'
import { callOffDeliveries } from '../../../publishing/writes.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { wordsOf } from '../../words.ts'
import { checkedDate, published } from '../article/forms.ts'
import { mayAct, type SiteFront, siteIdIn } from '../front.ts'
import { type Listed, readListed } from '../queries.ts'
import { titleOf } from '../states.tsx'
import { type Action, type Chosen, counted, type SkipReason, skippedText } from './rules.ts'

/** Selected article in its current state, and the reason if it is skipped. */
export type Judged = Chosen & { article: Listed | undefined; left: SkipReason | undefined }

/** Article on which the action can run. */
export type Doable = Judged & { article: Listed }

export const isDoable = (one: Judged): one is Doable => one.left === undefined

/** Time after which no further article is started, so the person gets a response while still waiting. */
const LONGEST_MS = 60_000

/** Outcome for one article: undefined if the action is done, else the reason. */
type End = { why: string; isAsked?: boolean } | undefined

const perform = async (c: PagesContext, front: SiteFront, action: Action, { article, date }: Doable): Promise<End> => {
  const ctx = { ...ctxOf(c, front), ifMatch: [etagOf(new Date(article.updated_at), article.revision)] }
  if (action === 'dates') await editArticle(ctx, front.targets, article.id, checkedDate(date ?? ''))
  if (action === 'delete') await removeArticle(ctx, article.id, callOffDeliveries)
  if (action !== 'publish') return undefined
  // Publishing checks no version, and the articles before this one took time. So the article is read again.
  const now = await readListed(front.deps.db, c.get('person').accountId, article.project_id, article.id)
  if (now?.updated_at !== article.updated_at) return { why: skippedText(now ? 'changed' : 'gone') }
  const { body } = await publishArticle(ctxOf(c, front), front.targets, article.id)
  if (body.status === 'published') return undefined
  return { why: published(body).text, isAsked: body.status === 'awaiting_approval' }
}

/** Runs the action on one article. An error becomes a reason in words, so the other articles of the form continue. */
const performOne = async (c: PagesContext, front: SiteFront, action: Action, going: Doable): Promise<End> => {
  try {
    return await perform(c, front, action, going)
  } catch (error) {
    if (error instanceof ApiError) return { why: error.code === 'not_found' ? skippedText('gone') : wordsOf(error) }
    front.deps.log('error', 'page.failed', { path: c.req.path, article: going.id, ...errorFields(error) })
    return { why: 'Something went wrong. It is not known whether it was done: look at it first.' }
  }
}

const DONE: Record<Action, readonly [string, string]> = {
  dates: ['article has its date', 'articles have their dates'],
  publish: ['article is published', 'articles are published'],
  delete: ['article is deleted', 'articles are deleted'],
}

/**
 * Runs the action on the articles one after another.
 *
 * Returns a notice with the number of articles that changed, and the reason for each that did not.
 */
export const performAll = async (
  c: PagesContext,
  front: SiteFront,
  action: Action,
  judged: readonly Judged[],
): Promise<Notice> => {
  const { now } = front.deps
  const until = now().getTime() + LONGEST_MS
  let [done, asked] = [0, 0]
  let stop: string | undefined
  const about: { href: string; name: string; text: string }[] = []
  for (const one of judged) {
    if (now().getTime() > until) stop ??= 'There was no time left for it. Choose it again.'
    if (isDoable(one) && stop === undefined && !(await mayAct(c, front)))
      stop = 'These were too many for one minute. Wait a minute, then choose it again.'
    const end: End = !isDoable(one)
      ? { why: skippedText(one.left ?? 'gone') }
      : stop === undefined
        ? await performOne(c, front, action, one)
        : { why: stop }
    if (!end) done += 1
    else if (end.isAsked) asked += 1
    else
      about.push({
        href: sitePath(siteIdIn(c), `articles/${one.id}`),
        name: one.article ? titleOf(one.article) : `Article ${one.id}`,
        text: end.why,
      })
  }
  const said = [
    done > 0 && `${counted(done, DONE[action])}.`,
    asked > 0 && `${counted(asked, ['waits', 'wait'])} until a person has approved it.`,
    about.length > 0 && `${counted(about.length, ['was', 'were'])} left alone:`,
  ]
  const isNothing = done + asked === 0
  return {
    tone: about.length === 0 ? 'good' : isNothing ? 'bad' : 'warn',
    text: said.filter((one) => one !== false).join(' '),
    about,
  }
}
