import type { Hono } from 'hono'
import { plannedPerMonth } from '../../../accounts/projects/rules.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { instantOf } from '../../../platform/lib/time.ts'
import { askToConfirm } from '../../confirm.tsx'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { backTo, type Notice } from '../../notice.ts'
import { Moment } from '../../parts.tsx'
import { placeOf } from '../../zone.ts'
import { type SiteFront, siteIdIn, siteIn, withQuery } from '../front.ts'
import { Card } from '../parts.tsx'
import { readChosen, readConditions, readDatesFrom } from '../queries.ts'
import { StatePill, titleOf } from '../states.tsx'
import { type Doable, isDoable, type Judged, performAll } from './perform.ts'
import {
  ACTIONS,
  type Action,
  BY_PLAN,
  type Chosen,
  checkboxName,
  chosenIn,
  consequences,
  datesByPlan,
  datesFrom,
  reasonToSkip,
  skippedText,
} from './rules.ts'

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
}

const Asked = ({ action, judged, going, target, zone, rhythm }: AskedProps) => (
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
    {action === 'publish' && <p>They go to {target}, one after the other, and readers see them at once.</p>}
    {action === 'delete' && (
      <p>Texts and all their versions are deleted here for good. What a site shows of them stays there.</p>
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
    readConditions(db, accountId, siteIdIn(c)),
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
  const asking = await askToConfirm(c, front, sent, () => ({
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
