import type { ApprovalStatus } from '../../../../schema/values/approvals.ts'
import { approve, checkComment, type Decider, returnForChanges } from '../../../accounts/approvals/decide.ts'
import { readApprovals } from '../../../accounts/approvals/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { errorFields } from '../../../platform/runtime/log.ts'
import { followDecision } from '../../../publishing/send/approved.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { backTo, type Notice } from '../../notice.ts'
import { Moment } from '../../parts.tsx'
import { wordsOf } from '../../words.ts'
import { checkboxName, chosenIn, counted } from '../bulk/rules.ts'
import { act, type SiteFront, siteIn, withQuery } from '../front.ts'
import { Card, MarkedRow } from '../parts.tsx'
import { Fields, KINDS, State, targetWords } from './content.tsx'
import { deciderIn } from './decider.ts'

type Row = {
  id: number
  kind: keyof typeof KINDS
  status: ApprovalStatus
  title: string
  target: string
  createdAt: Date
}

/** Pages from which several approvals are decided. */
type From = 'approvals' | 'social'

/** Checkboxes of a list: whether all are ticked, and the query of the list's page. */
type Ticks = { isTicked: boolean; kept?: Record<string, string | undefined> }

type ApprovalsProps = {
  site: number
  rows: readonly Row[]
  back: From
  /** Set if the person may decide them. */
  tick?: Ticks | undefined
}

const nameOf = ({ title, kind }: Pick<Row, 'title' | 'kind'>): string => title || KINDS[kind]

const Bar = ({ site, back, tick: { isTicked, kept } }: { site: number; back: From; tick: Ticks }) => (
  <div class="find in bulk">
    <input type="hidden" name="back" value={back} />
    <a class="button plain" href={withQuery(sitePath(site, back), { ...kept, all: isTicked ? '' : 'yes' })}>
      {isTicked ? 'Tick none' : 'Tick all'}
    </a>
    <button type="submit" name="decision" value="approve">
      Approve
    </button>
    <label>
      Comment (needed to send back)
      <textarea name="comment" rows={1} maxlength={2_000} />
    </label>
    <button class="plain" type="submit" name="decision" value="return">
      Send back
    </button>
  </div>
)

/** Renders approvals as a list. For a person who may decide them it is a form, whose buttons act on those that are ticked. */
export const Approvals = ({ site, rows, back, tick }: ApprovalsProps) => {
  const list = (
    <ul class="rows">
      {rows.map((one) => (
        <MarkedRow
          mark={
            tick ? (
              <span class="pick">
                <label>
                  <input type="checkbox" name={checkboxName(one.id)} value="yes" checked={tick.isTicked} />
                  <span class="unseen">Choose {nameOf(one)}</span>
                </label>
                <State status={one.status} />
              </span>
            ) : (
              <State status={one.status} />
            )
          }
          href={sitePath(site, `approvals/${one.id}`)}
          name={nameOf(one)}
          action={one.status === 'awaiting' ? 'Decide' : 'Open'}
        >
          {KINDS[one.kind]}, to {targetWords(one.target)}, <Moment at={one.createdAt} />
        </MarkedRow>
      ))}
    </ul>
  )
  if (!tick) return <div class="card">{list}</div>
  return (
    <form class="card" method="post" action={sitePath(site, 'approvals/decide')}>
      <Bar site={site} back={back} tick={tick} />
      {list}
    </form>
  )
}

type Found = Awaited<ReturnType<typeof readApprovals>>[number]

/** Reasons for which an approval is left alone, by its state. */
const LEFT: Record<ApprovalStatus, string | undefined> = {
  awaiting: undefined,
  approved: 'It was approved before.',
  returned: 'It was sent back before.',
  expired: 'Its time was over.',
  superseded: 'It was changed since you opened the list. What is asked now has a line of its own.',
  used: 'It was approved before, and is out.',
  failed: 'It was approved before, and could not be sent.',
}

/** Approval that a person chose, as it is now; undefined if the site has none with the id. */
type Chosen = { id: number; row: Found | undefined }

const reasonToLeave = ({ row }: Chosen): string | undefined =>
  row === undefined ? 'It is not here any more.' : LEFT[row.status]

/** Shows what is decided, so that nobody approves a text that they have not seen. */
const Asked = ({ site, chosen, comment }: { site: number; chosen: readonly Chosen[]; comment: string }) => (
  <div class="cards">
    {comment !== '' && <p class="said">Your comment: {comment}</p>}
    {chosen.flatMap((one) =>
      one.row === undefined || reasonToLeave(one) ? (
        []
      ) : (
        <Card title={nameOf(one.row)} note={`${KINDS[one.row.kind]}, to ${targetWords(one.row.target)}`}>
          {one.row.proposed.format === 'text' && (
            <>
              <div class="in said" dir="auto">
                {one.row.proposed.body}
              </div>
              <Fields proposed={one.row.proposed} live={null} />
            </>
          )}
          <p class="in">
            <a href={sitePath(site, `approvals/${one.id}`)}>Look at all of it</a>
          </p>
        </Card>
      ),
    )}
    {chosen.some(reasonToLeave) && (
      <Card title="Left alone">
        <ul class="rows two">
          {chosen.flatMap((one) => {
            const why = reasonToLeave(one)
            return why === undefined ? (
              []
            ) : (
              <li>
                <span dir="auto">{one.row ? nameOf(one.row) : `Approval ${one.id}`}</span>
                <span>{why}</span>
              </li>
            )
          })}
        </ul>
      </Card>
    )}
  </div>
)

type Decision = { by: Decider; isApproval: boolean; comment: string }

/** Decides one approval. Returns why it was left alone; undefined if it is decided. */
const decideOne = async (
  c: PagesContext,
  front: SiteFront,
  one: Chosen,
  decision: Decision,
): Promise<string | undefined> => {
  const why = reasonToLeave(one)
  if (why !== undefined) return why
  const { by, isApproval, comment } = decision
  try {
    await (isApproval ? approve : returnForChanges)(ctxOf(c, front), followDecision, one.id, by, comment)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return wordsOf(error)
    front.deps.log('error', 'page.failed', { path: c.req.path, approval: one.id, ...errorFields(error) })
    return 'Something went wrong. It is not known whether it was decided: look at it first.'
  }
}

const DONE = {
  approved: ['is approved', 'are approved'],
  returned: ['is sent back', 'are sent back'],
  left: ['was left alone', 'were left alone'],
} as const

const decideAll = async (
  c: PagesContext,
  front: SiteFront,
  site: number,
  chosen: readonly Chosen[],
  decision: Decision,
): Promise<Notice> => {
  const about: NonNullable<Notice['about']>[number][] = []
  for (const one of chosen) {
    const text = await decideOne(c, front, one, decision)
    const name = one.row ? nameOf(one.row) : `Approval ${one.id}`
    if (text !== undefined) about.push({ href: sitePath(site, `approvals/${one.id}`), name, text })
  }
  const done = chosen.length - about.length
  const { isApproval } = decision
  const said = [
    done > 0 && `${counted(done, DONE[isApproval ? 'approved' : 'returned'])}.`,
    done > 0 && isApproval && 'What has a later date goes out then, the rest goes out now.',
    about.length > 0 && `${counted(about.length, DONE.left)}:`,
  ]
  return {
    tone: about.length === 0 ? 'good' : done === 0 ? 'bad' : 'warn',
    text: said.filter((one) => one !== false).join(' '),
    about,
  }
}

/** Approves several things that wait, or sends them back, after a page that shows them. */
export const decideSeveral = async (c: PagesContext, front: SiteFront): Promise<Response> => {
  const [fields, site, by] = await Promise.all([formOf(c), siteIn(c), deciderIn(c, front)])
  const back = sitePath(site.id, fields.back === 'social' ? 'social' : 'approvals')
  const [isApproval, comment] = [fields.decision === 'approve', (fields.comment ?? '').trim()]
  try {
    const ids = chosenIn(fields, 'approvals').map(({ id }) => id)
    if (!isApproval) checkComment(comment)
    const rows = await readApprovals(ctxOf(c, front), site.id, ids)
    const chosen = ids.map((id) => ({ id, row: rows.find((row) => row.id === id) }))
    const open = chosen.filter((one) => reasonToLeave(one) === undefined)
    if (open.length > 0) {
      const asking = await askToConfirm(c, front, fields, () => ({
        title: isApproval ? 'Approve these?' : 'Send these back?',
        body: <Asked site={site.id} chosen={chosen} comment={isApproval ? '' : comment} />,
        label: isApproval ? `Approve ${open.length}` : `Send ${open.length} back`,
        back,
        isHarmless: true,
        hasPictures: true,
      }))
      if (asking) return asking
    }
    return await act(c, front, back, () => decideAll(c, front, site.id, chosen, { by, isApproval, comment }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_input') throw error
    return await backTo(c, front, back, { tone: 'bad', text: error.message })
  }
}
