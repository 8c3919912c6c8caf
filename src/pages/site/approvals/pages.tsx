import type { Hono } from 'hono'
import type { ApprovalStatus } from '../../../../schema/values/approvals.ts'
import { approve, returnForChanges } from '../../../accounts/approvals/decide.ts'
import { getApproval, listApprovals, makeReviewLink, revokeReviewLink } from '../../../accounts/approvals/read.ts'
import { approvalDetail } from '../../../accounts/approvals/rules.ts'
import { listPeople } from '../../../accounts/people/members.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { calledPerson } from '../../../accounts/people/person.ts'
import { has } from '../../../accounts/people/roles.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { followDecision } from '../../../publishing/send/approved.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { previewOf } from '../article/preview.tsx'
import { MOST } from '../bulk/rules.ts'
import { act, numberIn, type SiteFront, siteIdIn, siteIn, withQuery, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import { Content, KINDS, State } from './content.tsx'
import { deciderIn, deputyIn, mayDecide } from './decider.ts'
import { Approvals, decideSeveral } from './several.tsx'

const VIEWS: readonly (readonly [name: string, label: string, statuses: ApprovalStatus[]])[] = [
  ['', 'To decide', ['awaiting']],
  ['done', 'Decided', ['approved', 'returned', 'expired', 'superseded', 'used', 'failed']],
]

const list = async (c: PagesContext, front: SiteFront) => {
  const view = VIEWS.find(([name]) => name === c.req.query('view')) ?? VIEWS[0]
  const ctx = ctxOf(c, front)
  const before = idIn(c.req.query('before'))
  const [[site, { rows, page }], { members }, isDecider] = await Promise.all([
    withSite(
      c,
      listApprovals(ctx, {
        project_id: siteIdIn(c),
        status: view?.[2],
        limit: MOST,
        ...(before === 0 ? {} : { before_id: before }),
      }),
    ),
    listPeople(ctx),
    mayDecide(c, front),
  ])
  const unreachable = members.filter(
    ({ mailFault, role, projectId }) =>
      mailFault !== null && has(role, 'decide') && (projectId === null || projectId === site.id),
  )
  const here = sitePath(site.id, 'approvals')
  return await show(c, front, {
    title: 'Approvals',
    menu: true,
    page: 'approvals',
    site: site.id,
    body: (
      <>
        <nav class="tabs find" aria-label="Kinds of approvals">
          {VIEWS.map(([name, label]) => (
            <a
              href={name === '' ? here : `${here}?view=${name}`}
              aria-current={name === view?.[0] ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
          <a href={sitePath(site.id, 'changes')}>Sets of changes</a>
        </nav>
        {unreachable.length > 0 && (
          <p class="notice bad">
            Mails about approvals do not reach {unreachable.map(calledPerson).join(', ')}. Tell them in another way, or{' '}
            <a href={PATHS.people}>look at the people of the account</a>.
          </p>
        )}
        {rows.length === 0 ? (
          <Empty>
            <p>
              {view?.[0] === ''
                ? 'Nothing waits for you. What goes out waits here if the policy of the site asks for approval.'
                : 'Nothing was decided yet.'}
            </p>
            <For right="manage">
              <a href={sitePath(site.id, 'policy')}>Policy of the site</a>
            </For>
          </Empty>
        ) : (
          <Approvals
            site={site.id}
            rows={rows}
            back="approvals"
            tick={
              view?.[0] === '' && isDecider
                ? { isTicked: c.req.query('all') === 'yes', kept: { before: c.req.query('before') } }
                : undefined
            }
          />
        )}
        {page.before_id !== null && (
          <p class="pages">
            <a href={withQuery(here, { view: view?.[0], before: String(page.before_id) })}>Older approvals</a>
          </p>
        )}
      </>
    ),
  })
}

/** Returns the approval in the path, and its site. Throws `not_found` for an approval of another site. */
const load = async (c: PagesContext, front: SiteFront) => {
  const [site, row] = await withSite(c, getApproval(ctxOf(c, front), numberIn(c, 'approval')))
  if (row.projectId !== site.id) throw new ApiError('not_found', 'The approval is of another site.')
  return { site, row, one: approvalDetail(row, front.deps.settings.publicUrl) }
}

/** Renders the form to approve or to send back. */
export const Decide = ({ here, name }: { here: string; name?: boolean }) => (
  <Card title="Decide">
    <form class="in stack" method="post" action={`${here}/decide`}>
      {name && (
        <label>
          Your name
          <input name="name" required maxlength={100} autocomplete="name" />
        </label>
      )}
      <label>
        Comment (needed to send it back)
        <textarea name="comment" rows={3} maxlength={2_000} data-key="r" />
      </label>
      <div class="row">
        <button type="submit" name="decision" value="approve" data-key="a">
          Approve
        </button>
        <button class="plain" type="submit" name="decision" value="return">
          Send back
        </button>
      </div>
    </form>
  </Card>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const [{ site, row, one }, { members }, deputy] = await Promise.all([
    load(c, front),
    listPeople(ctxOf(c, front)),
    deputyIn(c, front),
  ])
  const { id: me, role } = c.get('person')
  const isDeputy = deputy?.personId === me && !has(role, 'decide')
  const by = members.find(({ email }) => email === one.decided_by)
  const here = sitePath(site.id, `approvals/${one.id}`)
  const isAwaiting = one.status === 'awaiting'
  return await show(c, front, {
    title: one.title || KINDS[one.kind],
    menu: true,
    page: 'approvals',
    site: site.id,
    frames: true,
    hasPictures: true,
    actions: <State status={one.status} />,
    body: (
      <div class="cards">
        <Content one={by ? { ...one, decided_by: calledPerson(by) } : one} preview={`${here}/preview`} />
        {isAwaiting && isDeputy && (
          <p>
            You decide as deputy of {deputy.of}, until <Moment at={deputy.until} />.
          </p>
        )}
        {isAwaiting && (isDeputy || has(role, 'decide')) && <Decide here={here} />}
        {isAwaiting && (
          <For right="manage">
            <Card title="Ask somebody without an account">
              <div class="in stack">
                <p class="hint">
                  A review link shows this text alone. Anyone who has it can approve it or send it back, with their
                  name.
                </p>
                <div class="row">
                  <form method="post" action={`${here}/link`}>
                    <button class="plain" type="submit">
                      {row.hasReviewLink ? 'Make a new link' : 'Make a review link'}
                    </button>
                  </form>
                  {row.hasReviewLink && (
                    <form method="post" action={`${here}/unlink`}>
                      <button class="danger" type="submit">
                        End the link
                      </button>
                    </form>
                  )}
                </div>
              </div>
            </Card>
          </For>
        )}
        {one.article_id !== null && (
          <p>
            <a href={sitePath(site.id, `articles/${one.article_id}`)}>Open the article</a>
          </p>
        )}
      </div>
    ),
  })
}

/** Notices after a decision. */
export const APPROVED: Notice = { tone: 'good', text: 'Approved. It goes out now, or on its date if that is later.' }
export const SENT_BACK: Notice = { tone: 'plain', text: 'Sent back with your comment. Nothing was sent.' }

/** Adds the pages on which people approve waiting things or send them back. */
export const approvalsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/approvals'
  app.get(at, signedIn(front), (c) => list(c, front))
  app.post(`${at}/decide`, signedIn(front), (c) => decideSeveral(c, front))
  app.get(`${at}/:approval`, signedIn(front), (c) => page(c, front))
  app.get(`${at}/:approval/preview`, signedIn(front), async (c) => {
    const { one } = await load(c, front)
    return await previewOf(c, front, one.proposed.title, one.proposed.body)
  })
  const onIt = (path: string, run: (c: PagesContext, id: number, fields: Record<string, string>) => Promise<Notice>) =>
    app.post(`${at}/:approval/${path}`, signedIn(front), async (c) => {
      const [fields, site] = await Promise.all([formOf(c), siteIn(c)])
      const { one } = await load(c, front)
      return await act(c, front, sitePath(site.id, `approvals/${one.id}`), () => run(c, one.id, fields))
    })
  onIt('decide', async (c, id, { decision, comment = '' }) => {
    const by = await deciderIn(c, front)
    if (decision === 'approve') {
      await approve(ctxOf(c, front), followDecision, id, by, comment)
      return APPROVED
    }
    await returnForChanges(ctxOf(c, front), followDecision, id, by, comment)
    return SENT_BACK
  })
  onIt('link', async (c, id) => ({
    tone: 'good',
    text: 'Copy the link now: it is shown once. It ends when the question does, or when you end it.',
    secret: await makeReviewLink(ctxOf(c, front), id),
  }))
  onIt('unlink', async (c, id) => {
    await revokeReviewLink(ctxOf(c, front), id)
    return { tone: 'plain', text: 'The review link no longer works.' }
  })
}
