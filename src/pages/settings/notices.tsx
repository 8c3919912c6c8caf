import type { Hono } from 'hono'
import { NOTICE_KINDS, type NoticeChoice, type NoticeKind } from '../../../schema/values/notices.ts'
import {
  type Choices,
  type Ended,
  endMails,
  openEndingKey,
  readChoices,
  saveChoices,
} from '../../accounts/notices/choices.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { BY_ADDRESS } from '../../accounts/people/tries.ts'
import {
  addressIn,
  type Front,
  formOf,
  type PagesContext,
  type PagesEnv,
  show,
  signedIn,
  tooOften,
  zoneFor,
} from '../front.tsx'
import { backTo } from '../notice.ts'
import { Select } from '../parts.tsx'
import { placeOf } from '../zone.ts'

const LABELS: Record<NoticeKind, string> = {
  publication_failed: 'An article or a post could not be published',
  will_not_go_out: 'Something will not go out as planned',
  draft_waits: 'An article became a draft on its date',
  approval_wanted: 'Something waits for an approval',
  decided: 'What you asked for was approved or sent back',
  rewrite_ready: 'A rewrite is ready',
  work_failed: 'A rewrite, a month’s plan or the reading of a site failed',
  connection_lapsed: 'A connection has lapsed',
  credits_low: 'Article credits are running low',
}

const CHOICES: readonly (readonly [NoticeChoice, string])[] = [
  ['at_once', 'at once'],
  ['daily', 'once a day, in the morning'],
  ['never', 'never'],
]

const DIGEST = [
  ['weekly', 'once a week'],
  ['never', 'never'],
] as const

/** Words for the kinds of mail that an unsubscribe link ends. */
const ENDED: Record<Ended, string> = {
  publication_failed: 'articles and posts that could not be published',
  will_not_go_out: 'what will not go out as planned',
  draft_waits: 'articles that became drafts on their date',
  approval_wanted: 'what waits for an approval',
  decided: 'decisions on what you asked for',
  rewrite_ready: 'rewrites that are ready',
  work_failed: 'rewrites, plans and readings of sites that failed',
  connection_lapsed: 'connections that have lapsed',
  credits_low: 'article credits that run low',
  digest: 'your week',
}

const page = async (c: PagesContext, front: Front, choices: Choices) => {
  const zone = choices.timezone ?? (await zoneFor(c))
  return await show(c, front, {
    title: 'Mails',
    menu: true,
    body: (
      <>
        <p>
          The mails you get, for all your accounts. <a href={PATHS.noticeList}>All notices</a> are kept on their page,
          mailed or not. What is resolved before the daily mail is left out of it. Mornings are those of {placeOf(zone)}
          : <a href={PATHS.profile}>change it</a>.
        </p>
        <form class="stack narrow" method="post" action={PATHS.notices}>
          {NOTICE_KINDS.map((kind) => (
            <Select name={kind} label={LABELS[kind]} options={CHOICES} chosen={choices.kinds[kind]} />
          ))}
          <Select
            name="digest"
            label="What the week brought to your sites"
            options={DIGEST}
            chosen={choices.digest ? 'weekly' : 'never'}
          />
          <button type="submit">Save</button>
        </form>
      </>
    ),
  })
}

const choiceIn = (value: string | undefined): NoticeChoice | undefined =>
  CHOICES.map(([name]) => name).find((name) => name === value)

const save = async (c: PagesContext, front: Front) => {
  const form = await formOf(c)
  const { id } = c.get('person')
  const before = await readChoices(front.deps.db, id)
  const kinds = Object.fromEntries(
    NOTICE_KINDS.map((kind) => [kind, choiceIn(form[kind]) ?? before.kinds[kind]]),
  ) as Choices['kinds']
  const digest = form.digest === undefined ? before.digest : form.digest === 'weekly'
  const timezone = before.timezone ?? (await zoneFor(c))
  await saveChoices(front.deps, id, { kinds, timezone, ...(digest === before.digest ? {} : { digest }) })
  return await backTo(c, front, PATHS.notices, { tone: 'good', text: 'Saved.' })
}

const listed = (kinds: readonly Ended[]): string => kinds.map((kind) => ENDED[kind]).join(', ')

/**
 * Shows the page of an unsubscribe link, and ends the mails on a POST.
 *
 * A GET changes nothing, because mail scanners open links. The page's button and one-click unsubscribe of mail programs
 * (RFC 8058) send a POST.
 */
const unsubscribe = async (c: PagesContext, front: Front) => {
  const refused = await tooOften(c, front, [[BY_ADDRESS, addressIn(c)]])
  if (refused) return refused
  const key = c.req.query('key') ?? ''
  const opened = await openEndingKey(front.deps, key)
  if (!opened)
    return await show(c, front, {
      title: 'Nothing was changed',
      status: 400,
      body: (
        <p>This link is not complete. Open it from the mail again, or choose what you are mailed in the settings.</p>
      ),
    })
  const isPost = c.req.method === 'POST'
  if (isPost) await endMails(front.deps, opened)
  const what = opened.kinds.length === 0 ? 'this' : listed(opened.kinds)
  return await show(c, front, {
    title: isPost ? 'You get no more of these mails' : 'No more of these mails?',
    body: (
      <>
        <p>
          {isPost ? 'You are not mailed any more about' : 'You are mailed about'} {what}.
        </p>
        {!isPost && (
          <form method="post" action={`${PATHS.unsubscribe}?key=${encodeURIComponent(key)}`}>
            <button type="submit">Stop these mails</button>
          </form>
        )}
        <p>
          <a href={PATHS.notices}>Choose which mails you get</a>
        </p>
      </>
    ),
  })
}

/** Adds the page on which people choose their mails, and the page of unsubscribe links. */
export const noticePages = (app: Hono<PagesEnv>, front: Front): void => {
  app.get(PATHS.notices, signedIn(front), async (c) =>
    page(c, front, await readChoices(front.deps.db, c.get('person').id)),
  )
  app.post(PATHS.notices, signedIn(front), (c) => save(c, front))
  app.get(PATHS.unsubscribe, (c) => unsubscribe(c, front))
  app.post(PATHS.unsubscribe, (c) => unsubscribe(c, front))
}
