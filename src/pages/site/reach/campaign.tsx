import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { Rating } from '../../../../schema/values/crowdwork.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { campaignParams, RateSlot, slotParams } from '../../../reach/crowdwork/operations.ts'
import { loadCampaign, readCampaign } from '../../../reach/crowdwork/read.ts'
import { listSlots, rateSlot } from '../../../reach/crowdwork/slots.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { Later, showWithLater } from '../../later.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { wordsOf } from '../../words.ts'
import { withQuery, withSite } from '../front.ts'
import { Figures, type Mark, MarkPill } from '../parts.tsx'
import { CAMPAIGN_STATES, dollars } from './crowdwork.tsx'
import { actOrShowForm, notFoundIfForbidden, type ReachFront } from './front.ts'

const VIEWS = [
  ['', 'To rate', 'NOTRATED'],
  ['accepted', 'Accepted', 'OK'],
  ['again', 'To do again', 'REVISE'],
  ['refused', 'Refused', 'NOK'],
  ['all', 'All', undefined],
] as const

const viewOf = (name: string | undefined) => VIEWS.find(([one]) => one === name) ?? VIEWS[0]

const RATINGS: Record<Rating, Mark> = {
  OK: ['good', '●', 'Accepted'],
  NOK: ['plain', '×', 'Refused'],
  REVISE: ['accent', '↻', 'To do again'],
}
const TO_RATE: Mark = ['warn', '◇', 'To rate']

type Slot = Awaited<ReturnType<typeof listSlots>>['slots'][number]

const Proofs = ({ proofs }: { proofs: Slot['proofs'] }) => (
  <dl class="in">
    {proofs.map((proof) =>
      proof.type === 'answer' ? (
        <div>
          <dt dir="auto">{proof.question}</dt>
          <dd class="said" dir="auto">
            {proof.answer}
          </dd>
        </div>
      ) : (
        <div>
          <dt>File</dt>
          <dd>
            {/^https?:\/\//.test(proof.url) ? (
              <a href={proof.url} rel="noreferrer nofollow">
                {proof.url}
              </a>
            ) : (
              proof.url
            )}
          </dd>
        </div>
      ),
    )}
  </dl>
)

/** Submitted form that was refused, with its error. */
type Sent = { slot: string; comment: string; error: ApiError }

type RateProps = { slot: Slot; here: string; view: string; price: number; sent: Sent | undefined }

const RateForm = ({ slot, here, view, price, sent }: RateProps) => {
  const typed = sent?.slot === slot.id ? sent : undefined
  return (
    <details open={typed !== undefined}>
      <summary aria-label={`Rate it: the work of ${slot.worker_id}`}>Rate it</summary>
      <form class="stack" method="post" action={`${here}/rate`}>
        <input type="hidden" name="slot" value={slot.id} />
        <input type="hidden" name="view" value={view} />
        <label>
          Comment to the worker
          <textarea name="comment" rows={2} maxlength={2_000}>
            {`\n${typed?.comment ?? ''}`}
          </textarea>
          <span class="hint">
            Needed to refuse the work or to ask for another try. Accepting and refusing cannot be undone. Work that
            nobody rates for some days is accepted by itself.
          </span>
        </label>
        <div class="row">
          <button type="submit" name="rating" value="OK">
            Accept and pay {dollars(price)}
          </button>
          <button class="plain" type="submit" name="rating" value="REVISE">
            Ask for another try
          </button>
          <button class="danger" type="submit" name="rating" value="NOK">
            Refuse
          </button>
        </div>
      </form>
    </details>
  )
}

const Slots = (props: Omit<RateProps, 'slot'> & { slots: readonly Slot[] }) => (
  <div class="card">
    <ul class="rows">
      {props.slots.map((slot) => (
        <li class="review">
          <MarkPill mark={slot.rating === null ? TO_RATE : RATINGS[slot.rating]} />
          <div>
            <p>
              Worker {slot.worker_id}
              {slot.submitted_at !== null && (
                <>
                  , <Moment at={new Date(slot.submitted_at)} />
                </>
              )}
            </p>
            <Proofs proofs={slot.proofs} />
            {slot.rating !== 'OK' && slot.rating !== 'NOK' && (
              <For right="manage">
                <RateForm slot={slot} {...props} />
              </For>
            )}
          </div>
        </li>
      ))}
    </ul>
  </div>
)

type Live = Awaited<ReturnType<typeof readCampaign>>['live']

const LiveFigures = ({ live }: { live: Live }) => {
  const { slots, payment_per_task: price, available_positions: tasks } = live
  const waiting = slots.not_rated + slots.not_reviewed
  return (
    <Figures
      figures={[
        { name: 'Paid', value: dollars(slots.ok * price), note: `of ${dollars(tasks * price)} at most` },
        { name: 'To rate', value: waiting, note: `${slots.locked} being worked on` },
        { name: 'Accepted', value: slots.ok, note: `${slots.nok} refused, ${slots.revise} to do again` },
        { name: 'Free', value: slots.untaken, note: `of ${tasks === 1 ? '1 task' : `${tasks} tasks`}` },
      ]}
    />
  )
}

const PER_PAGE = 20

type Where = { view?: string | undefined; page: number }

/** Returns the campaign in the path, and its site. Throws `not_found` for a campaign of another site. */
const load = async (c: PagesContext, front: ReachFront) => {
  const id = campaignParams.campaign_id.safeParse(c.req.param('campaign'))
  if (!id.success) throw new ApiError('not_found', 'There is no such campaign.')
  const [site, campaign] = await withSite(c, notFoundIfForbidden(loadCampaign(ctxOf(c, front), id.data)))
  if (campaign.projectId !== site.id) throw new ApiError('not_found', 'The campaign is of another site.')
  return { site, campaign, id: id.data, here: sitePath(site.id, `crowdwork/${encodeURIComponent(id.data)}`) }
}

type Loaded = Awaited<ReturnType<typeof load>>

const part = async (
  c: PagesContext,
  front: ReachFront,
  { id, here }: Loaded,
  where: Where,
  sent?: Sent,
): Promise<Child> => {
  const ctx = ctxOf(c, front)
  const view = viewOf(where.view)
  const [{ live }, { slots, total }] = await Promise.all([
    readCampaign(ctx, front.crowd, id),
    listSlots(ctx, front.crowd, id, { page: where.page, pageSize: PER_PAGE, status: view[2] }),
  ])
  return (
    <div class="cards">
      <LiveFigures live={live} />
      {live.blocked_reason !== null && (
        <div class="notice bad">
          <p>{live.blocked_reason}</p>
        </div>
      )}
      {live.slots.untaken === 0 && live.slots.locked === 0 && (
        <div class="notice warn">
          <p>Every task of the campaign is taken: its budget is spent when all are rated.</p>
        </div>
      )}
      {slots.length === 0 ? (
        <Empty>{view[0] === '' ? 'Nothing waits to be rated.' : 'No work is in this state.'}</Empty>
      ) : (
        <Slots slots={slots} here={here} view={view[0]} price={live.payment_per_task} sent={sent} />
      )}
      {where.page * PER_PAGE < total && slots.length > 0 && (
        <p class="pages">
          <a href={withQuery(here, { view: view[0], page: String(where.page + 1) })}>Earlier work</a>
        </p>
      )}
    </div>
  )
}

const page = async (c: PagesContext, front: ReachFront, loaded: Loaded, where: Where, sent?: Sent) => {
  const { site, campaign, here } = loaded
  const current = viewOf(where.view)
  return await showWithLater(
    c,
    front,
    {
      zone: site.zone,
      who: front.crowd.name,
      again: withQuery(here, { view: where.view, page: String(where.page) }),
      part: part(c, front, loaded, where, sent),
    },
    {
      title: campaign.title,
      menu: true,
      page: 'crowdwork',
      site: site.id,
      ...(sent ? { status: 400, notice: { tone: 'bad', text: wordsOf(sent.error) } } : {}),
      actions: <MarkPill mark={CAMPAIGN_STATES[campaign.status]} />,
      body: (
        <>
          <nav class="tabs find" aria-label="States of work">
            {VIEWS.map(([name, label]) => (
              <a href={withQuery(here, { view: name })} aria-current={name === current[0] ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
          <Later>Asking {front.crowd.name} for the work that was handed in…</Later>
        </>
      ),
    },
  )
}

const RATED: Record<Rating, string> = {
  OK: 'Accepted. The worker is paid.',
  NOK: 'Refused. The worker is told why.',
  REVISE: 'The worker is asked to do it again.',
}

const NO_COMMENT = 'Nothing was changed. Write to the worker why you refuse the work, or what is to be done again.'

/** Adds the page of a campaign, on which people rate submitted work. */
export const campaignPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  const at = '/p/:site/crowdwork'
  app.get(`${at}/:campaign`, signedIn(front), async (c) =>
    page(c, front, await load(c, front), { view: c.req.query('view'), page: idIn(c.req.query('page')) || 1 }),
  )
  app.post(`${at}/:campaign/rate`, signedIn(front), async (c) => {
    const [{ slot = '', rating, comment = '', view }, loaded] = await Promise.all([formOf(c), load(c, front)])
    const rate = async () => {
      const slotId = slotParams.slot_id.safeParse(slot)
      const body = RateSlot.safeParse({ campaign_id: loaded.id, rating, comment: comment.replaceAll('\r\n', '\n') })
      if (!slotId.success) throw new ApiError('invalid_input', 'There is no such work. Nothing was changed.')
      if (!body.success) throw new ApiError('invalid_input', NO_COMMENT)
      await rateSlot(ctxOf(c, front), front.crowd, slotId.data, body.data)
      return RATED[body.data.rating]
    }
    const where = { view, page: 1 }
    return await actOrShowForm(c, front, withQuery(loaded.here, { view }), rate, (error) =>
      page(c, front, loaded, where, { slot, comment, error }),
    )
  })
}
