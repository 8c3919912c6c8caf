import type { Hono } from 'hono'
import { BIN_DAYS } from '../../../../schema/values/retention.ts'
import { plannedPerMonth } from '../../../accounts/projects/rules.ts'
import { removeArticle } from '../../../content/articles/delete.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { instantOf } from '../../../platform/lib/time.ts'
import { errorFields } from '../../../platform/runtime/log.ts'
import { editArticle } from '../../../publishing/live/edit.ts'
import { publishArticle } from '../../../publishing/send/publish.ts'
import { callOffDeliveries } from '../../../publishing/writes.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { backTo, type Notice } from '../../notice.ts'
import { Moment } from '../../parts.tsx'
import { wordsOf } from '../../words.ts'
import { placeOf } from '../../zone.ts'
import { checkedDate, published } from '../article/forms.ts'
import { costsOfDates, isForWriter } from '../cost.tsx'
import { mayAct, type SiteFront, siteIdIn, siteIn, withQuery } from '../front.ts'
import { Card } from '../parts.tsx'
import { type Listed, type PlanConditions, readChosen, readConditions, readDatesFrom, readListed } from '../queries.ts'
import { plannedOf, StatePill, titleOf } from '../states.tsx'
import {
  ACTIONS,
  type Action,
  BY_PLAN,
  type Chosen,
  checkboxName,
  chosenIn,
  consequences,
  counted,
  datesByPlan,
  datesFrom,
  reasonToSkip,
  type SkipReason,
  skippedText,
} from './rules.ts'

/** Selected article in its current state, and the reason if it is skipped. */
type Judged = Chosen & { article: Listed | undefined; left: SkipReason | undefined }

/** Article on which the action can run. */
type Doable = Judged & { article: Listed }

const isDoable = (one: Judged): one is Doable => one.left === undefined

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
  return { why: published(body).text, isAsked: body.status === 'awaiting_approval' || body.status === 'awaiting_merge' }
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
const performAll = async (
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

type Fields = Record<string, string>

/** Limit that detects a double click: the confirmation page gives each form a unique id. */
const ONCE = { name: 'people.bulk', perMinute: 1 }

/** Fields that identify the list from which the form was sent. */
const LIST = ['view', 'q', 'when', 'before'] as const

const listOf = (c: PagesContext, fields: Fields): string =>
  withQuery(sitePath(siteIdIn(c), 'articles'), Object.fromEntries(LIST.map((name) => [name, fields[name]])))

const judge = async (
  c: PagesContext,
  front: SiteFront,
  action: Action,
  chosen: readonly Chosen[],
): Promise<Judged[]> => {
  const ids = chosen.map(({ id }) => id)
  const found = await readChosen(front.deps.db, c.get('person').accountId, siteIdIn(c), ids)
  return chosen.map((one) => {
    const article = found.find(({ id }) => id === one.id)
    return { ...one, article, left: reasonToSkip(action, article, one.version) }
  })
}

/** Returns the fields of the confirmation page: the list to return to, the articles of the action, and their dates. */
const askedFields = (fields: Fields, going: readonly Doable[], once: string): Fields => ({
  ...Object.fromEntries(LIST.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []))),
  ...Object.fromEntries(going.map(({ id, version }) => [checkboxName(id), version])),
  ...Object.fromEntries(going.flatMap(({ id, date }) => (date === undefined ? [] : [[`d${id}`, date]]))),
  once,
})

const TWICE: Notice = {
  tone: 'plain',
  text: 'This was sent twice, and is done once. The list shows how far it is.',
}

const ASK: Record<Action, { title: string; label: string; isHarmless: boolean }> = {
  dates: { title: 'Set the dates?', label: 'Set the dates', isHarmless: true },
  publish: { title: 'Publish now?', label: 'Publish', isHarmless: true },
  delete: { title: 'Delete the articles?', label: 'Delete them', isHarmless: false },
}

const rhythmOf = (chosen: number | null, articlesPerMonth: number): string =>
  `${chosen === null ? 'The site has no article plan yet, so these are' : 'These are'} the days of ${articlesPerMonth} articles a month. Times of other articles stay theirs.`

type AskedProps = {
  action: Action
  judged: readonly Judged[]
  going: readonly Doable[]
  target: string
  zone: string
  /** Article plan that the dates follow, in words. */
  rhythm: string | undefined
  /** Credits that the dates cost. */
  costs: readonly string[]
}

const Asked = ({ action, judged, going, target, zone, rhythm, costs }: AskedProps) => (
  <>
    <ul>
      {consequences(
        action,
        going.map(({ article }) => article),
        judged.flatMap(({ left }) => left ?? []),
      ).map((one) => (
        <li>{one}</li>
      ))}
    </ul>
    {rhythm && <p>{rhythm}</p>}
    {costs.map((cost) => (
      <p>{cost}</p>
    ))}
    {action === 'publish' && <p>They go to {target}, one after the other, and readers see them at once.</p>}
    {action === 'delete' && (
      <p>They are in the bin for {BIN_DAYS} days, and then gone for good. What a site shows of them stays there.</p>
    )}
    <Card title="Articles" note={action === 'dates' ? `times in ${placeOf(zone)}` : undefined}>
      <ul class="rows two">
        {going.map(({ article, date }) => (
          <li>
            <span dir="auto">{titleOf(article)}</span>
            {date === undefined ? <StatePill article={article} /> : <Moment at={instantOf(date, zone)} bare />}
          </li>
        ))}
      </ul>
    </Card>
    {judged.some(({ article, left }) => article && left) && (
      <Card title="Left alone">
        <ul class="rows two">
          {judged.map(
            ({ article, left }) =>
              article &&
              left && (
                <li>
                  <span dir="auto">{titleOf(article)}</span>
                  <span>{skippedText(left)}</span>
                </li>
              ),
          )}
        </ul>
      </Card>
    )}
  </>
)

/** Returns what the dates of the articles cost together, as if they had them. */
const costsOf = async (
  c: PagesContext,
  front: SiteFront,
  going: readonly Doable[],
  zone: string,
  conditions: PlanConditions,
): Promise<string[]> => {
  const supposed = going
    .map(({ article, date = '' }) => ({ ...plannedOf(article), at: instantOf(date, zone) }))
    .filter((article) => isForWriter(c, article, conditions))
  if (supposed.length === 0) return []
  const instead = { supposed, without: going.map(({ id }) => id) }
  const then = await readConditions(front.deps.db, c.get('person').accountId, siteIdIn(c), conditions.now, instead)
  return costsOfDates(c, supposed, then ?? conditions)
}

/** Asks for confirmation, then runs the action on each article. Returns to the list with a notice on the result. */
const run = async (c: PagesContext, front: SiteFront, action: Action, fields: Fields): Promise<Response> => {
  const { db, now, newId, limiter } = front.deps
  const back = listOf(c, fields)
  const chosen = chosenIn(fields)
  const isAsked = fields.once !== undefined
  const isByPlan = action === 'dates' && fields[BY_PLAN.name] === BY_PLAN.value
  const { accountId, plan } = c.get('person')
  const [site, conditions, judged, dated] = await Promise.all([
    siteIn(c),
    readConditions(db, accountId, siteIdIn(c), now()),
    judge(c, front, action, chosen),
    isByPlan && !isAsked ? readDatesFrom(db, accountId, siteIdIn(c), now()) : [],
  ])
  if (action === 'publish' && !conditions?.has_target)
    throw new ApiError('invalid_input', 'Nothing is connected to publish to. Connect the site first.')
  const able = judged.filter(isDoable)
  if (able.length === 0 && !isAsked) return await backTo(c, front, back, await performAll(c, front, action, judged))
  const clock = { time: conditions?.publish_time ?? '', zone: site.zone, now: now() }
  const articlesPerMonth = plannedPerMonth(conditions?.articles_per_month ?? null, plan)
  const others = dated.filter(({ id }) => able.every((one) => one.id !== id))
  const taken = others.map(({ scheduled_at }) => new Date(scheduled_at))
  const dates =
    action !== 'dates' || isAsked
      ? []
      : isByPlan
        ? datesByPlan(fields, clock, { count: able.length, articlesPerMonth, taken })
        : datesFrom(fields, able.length, clock)
  const going = able.map((one, n) => ({ ...one, date: dates[n] ?? one.date }))
  const sent = isAsked ? fields : askedFields(fields, going, newId())
  const asking = await askToConfirm(c, front, sent, async () => ({
    ...ASK[action],
    back,
    body: (
      <Asked
        action={action}
        judged={judged}
        going={going}
        target={conditions?.target_name ?? 'your site'}
        zone={site.zone}
        rhythm={isByPlan ? rhythmOf(conditions?.articles_per_month ?? null, articlesPerMonth) : undefined}
        costs={action === 'dates' && conditions ? await costsOf(c, front, going, site.zone, conditions) : []}
      />
    ),
  }))
  if (asking) return asking
  const { allowed } = await limiter.take(ONCE, `${fields.once}`)
  return await backTo(c, front, back, allowed ? await performAll(c, front, action, judged) : TWICE)
}

/** Adds the actions on several articles of a list. */
export const bulkPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/bulk', signedIn(front), (c) => c.redirect(sitePath(siteIdIn(c), 'articles'), 303))
  for (const action of ACTIONS)
    app.post(`/p/:site/bulk/${action}`, signedIn(front), async (c) => {
      const fields = await formOf(c)
      try {
        return await run(c, front, action, fields)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_input') throw error
        return await backTo(c, front, listOf(c, fields), { tone: 'bad', text: error.message })
      }
    })
}
