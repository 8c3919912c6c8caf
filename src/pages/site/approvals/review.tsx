import type { Hono } from 'hono'
import { approve, returnForChanges } from '../../../accounts/approvals/decide.ts'
import { REVIEW_PATH, readByLink } from '../../../accounts/approvals/read.ts'
import { approvalDetail } from '../../../accounts/approvals/rules.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { clip } from '../../../platform/lib/text.ts'
import { recordingFailures, systemCtx } from '../../../platform/runtime/ctx.ts'
import { followDecision } from '../../../publishing/send/approved.ts'
import { addressIn, formOf, type PagesContext, type PagesEnv, show, tooOften } from '../../front.tsx'
import { backTo } from '../../notice.ts'
import { wordsOf } from '../../words.ts'
import { previewOf } from '../article/preview.tsx'
import type { SiteFront } from '../front.ts'
import { Content, State } from './content.tsx'
import { APPROVED, Decide, SENT_BACK } from './pages.tsx'

/** Limits of views and of decisions on review pages, by IP address. */
const LOOKS = { name: 'review.looks', perMinute: 60 }
const DECISIONS = { name: 'review.decisions', perMinute: 10 }

const tokenIn = (c: PagesContext): string => c.req.param('token') ?? ''

const find = async (c: PagesContext, front: SiteFront) => {
  const token = tokenIn(c)
  return /^[\w-]{20,100}$/.test(token) ? await readByLink(front.deps, token) : undefined
}

/** Shows the page of an unknown, expired or revoked link. It does not reveal which of these is the case. */
const nothing = (c: PagesContext, front: SiteFront) =>
  show(c, front, {
    title: 'The link has ended',
    status: 404,
    body: <p>There is nothing to review here. Ask the person who sent you the link for a new one.</p>,
  })

const page = async (c: PagesContext, front: SiteFront) => {
  const found = await find(c, front)
  if (!found) return await nothing(c, front)
  const one = approvalDetail(found.row, front.deps.settings.publicUrl)
  if (one.status !== 'awaiting')
    return await show(c, front, {
      title: 'Nothing is left to decide',
      actions: <State status={one.status} />,
      body: <p>It was decided before, or the text changed since. You can close this page.</p>,
    })
  const here = `${REVIEW_PATH}/${tokenIn(c)}`
  return await show(c, front, {
    title: one.title || 'Review',
    frames: true,
    hasPictures: true,
    body: (
      <div class="cards">
        <Content one={one} preview={`${here}/preview`} />
        <Decide here={here} name />
      </div>
    ),
  })
}

const decide = async (c: PagesContext, front: SiteFront): Promise<Response> => {
  const [{ decision, comment = '', name = '' }, found] = await Promise.all([formOf(c), find(c, front)])
  if (!found) return await nothing(c, front)
  const { row, tokenHash } = found
  const here = `${REVIEW_PATH}/${tokenIn(c)}`
  const said = clip(name.trim(), 100)
  if (said === '') return await backTo(c, front, here, { tone: 'bad', text: 'Say your name. Nothing was decided.' })
  const { deps } = front
  const account = { id: row.accountId, plan: 'agentic_free', projectSlots: 0 } as const
  const ctx = recordingFailures(systemCtx(deps, `review:${row.id}`, account, (work) => c.executionCtx.waitUntil(work)))
  const by = { name: `${said} (by review link)`, tokenHash }
  try {
    if (decision === 'approve') await approve(ctx, followDecision, row.id, by, comment)
    else await returnForChanges(ctx, followDecision, row.id, by, comment)
    return await backTo(c, front, here, decision === 'approve' ? APPROVED : SENT_BACK)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await backTo(c, front, here, { tone: 'bad', text: wordsOf(error) })
  }
}

/** Adds the pages on which a person without an account reads and decides one thing. Search engines do not index them. */
export const reviewPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = `${REVIEW_PATH}/:token`
  const limited =
    (policy: typeof LOOKS, answer: (c: PagesContext) => Promise<Response> | Response) => async (c: PagesContext) => {
      c.header('X-Robots-Tag', 'noindex, nofollow')
      return (await tooOften(c, front, [[policy, addressIn(c)]])) ?? (await answer(c))
    }
  app.get(
    at,
    limited(LOOKS, (c) => page(c, front)),
  )
  app.get(
    `${at}/preview`,
    limited(LOOKS, async (c) => {
      const found = await find(c, front)
      if (found?.row.status !== 'awaiting') return await nothing(c, front)
      return await previewOf(c, front, found.row.proposed.title, found.row.proposed.body)
    }),
  )
  app.post(
    `${at}/decide`,
    limited(DECISIONS, (c) => decide(c, front)),
  )
}
