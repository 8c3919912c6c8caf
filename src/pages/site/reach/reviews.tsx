import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { ApiError } from '../../../platform/lib/errors.ts'
import { RemoveReply, ReplyToReview } from '../../../reach/profile/operations.ts'
import { listReviews } from '../../../reach/profile/read.ts'
import { removeReply, replySubject, replyToReview } from '../../../reach/profile/reply.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { Later, showWithLater } from '../../later.tsx'
import { sitePath } from '../../menu.ts'
import { wordsOf } from '../../words.ts'
import { act, siteIdIn, siteIn, withQuery } from '../front.ts'
import { actOrShowForm, orAsk, type ReachFront, waitingOf } from './front.ts'

import { List, NotConnected, Profiles, type Sent, VIEWS, type Where } from './review-list.tsx'

const PER_PAGE = 20

const part = async (c: PagesContext, front: ReachFront, where: Where, sent: Sent | undefined): Promise<Child> => {
  const [ctx, site] = [ctxOf(c, front), siteIdIn(c)]
  const here = sitePath(site, 'reviews')
  const view = VIEWS.find(([name]) => name === where.view) ?? VIEWS[0]
  const asked = {
    project_id: site,
    limit: PER_PAGE,
    has_reply: view[2],
    cursor: where.cursor,
    account_id: where.profile,
  }
  try {
    const [found, approvals] = await Promise.all([listReviews(ctx, front, asked), waitingOf(ctx, site, 'review_reply')])
    if (!found.connected) return <NotConnected site={site} />
    const waiting = new Map(
      found.reviews.flatMap(({ review_id: reviewId }) => {
        const approval = approvals.get(replySubject({ projectId: site, reviewId }))
        return approval === undefined ? [] : [[reviewId, sitePath(site, `approvals/${approval.id}`)] as const]
      }),
    )
    return <List found={found} here={here} where={where} view={view} sent={sent} waiting={waiting} />
  } catch (error) {
    const [detail] = error instanceof ApiError ? (error.extras.details ?? []) : []
    if (detail?.field !== 'account_id') throw error
    return <Profiles here={here} ids={[...((detail.allowed ?? []) as readonly string[])]} />
  }
}

const page = async (c: PagesContext, front: ReachFront, where: Where, sent?: Sent) => {
  const reading = part(c, front, where, sent)
  reading.catch(() => {})
  const site = await siteIn(c)
  const here = sitePath(site.id, 'reviews')
  const current = VIEWS.find(([name]) => name === where.view) ?? VIEWS[0]
  return await showWithLater(
    c,
    front,
    { zone: site.zone, who: 'Google', again: withQuery(here, where), part: reading },
    {
      title: 'Reviews',
      menu: true,
      page: 'reviews',
      site: site.id,
      status: sent ? (sent.error.status as 400) : 200,
      ...(sent ? { notice: { tone: 'bad', text: wordsOf(sent.error) } } : {}),
      body: (
        <>
          <nav class="tabs find" aria-label="Kinds of reviews">
            {VIEWS.map(([name, label]) => (
              <a
                href={withQuery(here, { view: name, profile: where.profile })}
                aria-current={name === current[0] ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <Later>Asking Google for the reviews…</Later>
        </>
      ),
    },
  )
}

const readWhere = ({ view, cursor, profile }: Record<string, string | undefined>): Where => ({
  view: view || undefined,
  cursor: cursor || undefined,
  profile: profile || undefined,
})

/** Adds the page of the reviews of a site's business profile, on which people answer them. */
export const reviewsPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  const at = '/p/:site/reviews'
  app.get(at, signedIn(front), (c) => page(c, front, readWhere(c.req.query())))
  app.post(`${at}/reply`, signedIn(front), async (c) => {
    const [fields, site] = await Promise.all([formOf(c), siteIn(c)])
    const where = readWhere(fields)
    const { review = '', message = '' } = fields
    const ctx = ctxOf(c, front)
    const reply = async () => {
      const parsed = ReplyToReview.safeParse({
        project_id: site.id,
        review_id: review,
        message: message.replaceAll('\r\n', '\n'),
        account_id: where.profile,
      })
      if (!parsed.success)
        throw new ApiError('invalid_input', 'The reply needs 1 to 4,096 characters. Nothing was sent.')
      const call = { operation: 'profile.reply', input: { params: {}, query: {}, body: parsed.data } }
      const done = await orAsk(ctx, call, () => replyToReview(ctx, front, parsed.data))
      return done?.message ?? { tone: 'warn' as const, text: 'The reply waits for the approval of another person.' }
    }
    return await actOrShowForm(c, front, withQuery(sitePath(site.id, 'reviews'), where), reply, (error) =>
      page(c, front, where, { review, message, error }),
    )
  })
  app.post(`${at}/remove`, signedIn(front), async (c) => {
    const [fields, site] = await Promise.all([formOf(c), siteIn(c)])
    const where = readWhere(fields)
    const back = withQuery(sitePath(site.id, 'reviews'), where)
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Take the reply back?',
      body: <p>It is deleted at Google, and the review has no answer then.</p>,
      label: 'Take it back',
      back,
    }))
    if (asking) return asking
    return await act(c, front, back, async () => {
      const parsed = RemoveReply.safeParse({
        project_id: site.id,
        review_id: fields.review,
        account_id: where.profile,
      })
      if (!parsed.success) throw new ApiError('invalid_input', 'There is no such review. Nothing was changed.')
      return (await removeReply(ctxOf(c, front), front, parsed.data)).message
    })
  })
}
