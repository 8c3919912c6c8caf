import type { Hono } from 'hono'
import { DELIVERY_STATUSES, type DeliveryStatus, isOpenStatus } from '../../../schema/values/publishing.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { receiverOf } from '../../publishing/connect/integrations.ts'
import { deliveryDetail, getDelivery, listDeliveries } from '../../publishing/deliveries.ts'
import type { DeliveryRow } from '../../publishing/queries.ts'
import { confirmDelivery } from '../../publishing/send/confirm.ts'
import { replayDelivery } from '../../publishing/send/replay.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, For, Moment } from '../parts.tsx'
import { forPeople } from '../words.ts'
import { act, numberIn, type SiteFront, siteIdIn, withQuery, withSite } from './front.ts'
import { Card, type Mark, MarkPill } from './parts.tsx'
import { readSentTitles } from './queries.ts'

const STATES: Record<DeliveryStatus, { mark: Mark; sentence: string }> = {
  delivered: { mark: ['good', '●', 'Delivered'], sentence: 'The site accepted it.' },
  unclear: {
    mark: ['warn', '◆', 'Unclear'],
    sentence:
      'The site accepted it, but its answer also has words of a failure. Nothing is sent again by itself. Look whether the post is there: then mark it as published, or send it again.',
  },
  failed: { mark: ['bad', '▲', 'Failed'], sentence: 'The site did not accept it. Nothing is sent again by itself.' },
  retrying: { mark: ['warn', '↻', 'Retrying'], sentence: 'The service sends it again by itself.' },
  unknown: {
    mark: ['warn', '?', 'Not known'],
    sentence: 'It is not known whether it arrived. The service looks for the post before it sends it again.',
  },
  awaiting_merge: {
    mark: ['accent', '⑂', 'Waits to be merged'],
    sentence: 'It is in a pull request. Merging that publishes it, closing it sends the article back.',
  },
  sending: { mark: ['accent', '…', 'Sending'], sentence: 'It is being sent at this moment.' },
  superseded: { mark: ['plain', '□', 'Replaced'], sentence: 'A newer text was sent instead.' },
}

const State = ({ status }: { status: DeliveryStatus }) => <MarkPill mark={STATES[status].mark} />

const kindOf = ({ eventType, replayOf }: Pick<DeliveryRow, 'eventType' | 'replayOf'>): string =>
  `${eventType === 'publish_articles' ? 'Publication' : 'Update'}${replayOf === null ? '' : ', sent again'}`

/** Returns the error and the warnings of a delivery, for people. */
const saidOf = ({ error, warnings }: Pick<DeliveryRow, 'error' | 'warnings'>): string[] =>
  [...(error === null ? [] : [error]), ...warnings].map(forPeople).filter((said) => said !== '')

/** Renders deliveries as rows. `titles` has the titles of articles, by id. */
export const DeliveryRows = (props: {
  site: number
  deliveries: readonly DeliveryRow[]
  titles: ReadonlyMap<number, string>
  /** True if only deliveries of one state are shown. */
  isFiltered?: boolean
}) =>
  props.deliveries.length === 0 ? (
    <Empty>
      {props.isFiltered
        ? 'No delivery is in this state.'
        : 'Nothing was sent yet. When an article goes out, what was sent and answered is kept here.'}
    </Empty>
  ) : (
    <div class="card">
      <ul class="rows">
        {props.deliveries.map((one) => (
          <li>
            <State status={one.status} />
            <div>
              <a class="name" href={sitePath(props.site, `deliveries/${one.id}`)} dir="auto">
                {(one.articleId !== null && props.titles.get(one.articleId)) || `Delivery ${one.id}`}
              </a>
              <p>
                {kindOf(one)}, version {one.revision}, <Moment at={one.createdAt} />
                {saidOf(one).map((said) => `. ${said}`)}
              </p>
            </div>
            <span class="meta">{one.attempts === 1 ? '1 attempt' : `${one.attempts} attempts`}</span>
          </li>
        ))}
      </ul>
    </div>
  )

const linkTo = (site: number, given: Record<string, string>): string => withQuery(sitePath(site, 'deliveries'), given)

/** Returns the delivery in the path, and its site. Throws `not_found` for a delivery of another site. */
const load = async (c: PagesContext, front: SiteFront) => {
  const [site, row] = await withSite(c, getDelivery(ctxOf(c, front), numberIn(c, 'delivery')))
  if (row.projectId !== site.id) throw new ApiError('not_found', 'The delivery is of another site.')
  return { site, row }
}

const list = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const status = DELIVERY_STATUSES.find((one) => one === c.req.query('status'))
  const before = idIn(c.req.query('before'))
  const input = {
    project_id: project,
    ...(status ? { status } : {}),
    ...(before === 0 ? {} : { before_id: before }),
  }
  const account = c.get('person').accountId
  const asked = { account, project, before, ...(status ? { status } : {}) }
  const [, [{ rows, page }, titles, receiver]] = await withSite(
    c,
    Promise.all([
      listDeliveries(ctxOf(c, front), input),
      readSentTitles(front.deps.db, asked),
      receiverOf(ctxOf(c, front), project),
    ]),
  )
  return await show(c, front, {
    title: 'Deliveries',
    menu: true,
    page: 'deliveries',
    site: project,
    actions: receiver && (
      <For right="manage">
        <a class="button plain" href={sitePath(project, 'receiver')}>
          Check the receiver
        </a>
      </For>
    ),
    body: (
      <>
        <nav class="tabs find" aria-label="States of deliveries">
          {(['', ...DELIVERY_STATUSES] as const).map((one) => (
            <a href={linkTo(project, { status: one })} aria-current={one === (status ?? '') ? 'page' : undefined}>
              {one === '' ? 'All' : STATES[one].mark[2]}
            </a>
          ))}
        </nav>
        <DeliveryRows site={project} deliveries={rows} titles={titles} isFiltered={status !== undefined} />
        {page.before_id !== null && (
          <p class="pages">
            <a href={linkTo(project, { status: status ?? '', before: String(page.before_id) })}>Older deliveries</a>
          </p>
        )}
      </>
    ),
  })
}

type Detail = ReturnType<typeof deliveryDetail>
type Attempt = Detail['attempts'][number]

const took = ({ duration_ms: ms }: Attempt): string =>
  ms === null ? '' : ms < 1_000 ? `, after ${ms} ms` : `, after ${(ms / 1_000).toFixed(1)} s`

const OUTCOMES: Record<Attempt['status'], string> = {
  sending: 'is being sent',
  delivered: 'was accepted',
  unclear: 'has an unclear answer',
  retrying: 'was not accepted',
  unknown: 'has an unknown outcome',
  awaiting_merge: 'is in a pull request',
  failed: 'was refused',
}

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ol class="rows two">
    {attempts.map((one) => (
      <li>
        <div>
          Attempt {one.number} {OUTCOMES[one.status]}
          {one.http_status === null ? '' : ` with the answer ${one.http_status}`}
          {took(one)}
          {one.error !== null && <p>{forPeople(one.error)}</p>}
          {one.response_excerpt !== null && one.response_excerpt !== '' && (
            <details>
              <summary>What the site answered</summary>
              <pre class="scroll" tabindex={0}>
                {one.response_excerpt}
              </pre>
            </details>
          )}
        </div>
        <Moment at={new Date(one.started_at)} />
      </li>
    ))}
  </ol>
)

/** Returns the reason that a delivery cannot be sent again now; undefined if it can. */
const standsInTheWay = ({ status }: Detail): string | undefined =>
  isOpenStatus(status) ? 'It is still under way, so it is not sent a second time.' : undefined

/** Renders how a delivery ended, and the deliveries that it belongs to. */
const Outcome = ({ site, one, why }: { site: number; one: Detail; why: string | undefined }) => (
  <p>
    {STATES[one.status].sentence} {why}
    {one.next_attempt_at !== null && (
      <>
        {' '}
        Next: <Moment at={new Date(one.next_attempt_at)} />.
      </>
    )}
    {one.resolved_by !== null && (
      <>
        {' '}
        A later delivery has the text:{' '}
        <a href={sitePath(site, `deliveries/${one.resolved_by}`)}>delivery {one.resolved_by}</a>.
      </>
    )}
    {one.replay_of !== null && (
      <>
        {' '}
        It repeats <a href={sitePath(site, `deliveries/${one.replay_of}`)}>delivery {one.replay_of}</a>.
      </>
    )}
  </p>
)

const About = ({ site, one, kind }: { site: number; one: Detail; kind: string }) => (
  <Card title="What it is" span="c5">
    <dl class="in">
      <dt>Kind</dt>
      <dd>{kind}</dd>
      <dt>Version</dt>
      <dd>{one.revision}</dd>
      {one.article_id !== null && <dt>Article</dt>}
      {one.article_id !== null && (
        <dd>
          <a href={sitePath(site, `articles/${one.article_id}`)}>{one.payload.title}</a>
        </dd>
      )}
      <dt>Key</dt>
      <dd>
        <code>{one.idempotency_key}</code>
      </dd>
    </dl>
  </Card>
)

const detailPage = async (c: PagesContext, front: SiteFront) => {
  const { site, row } = await load(c, front)
  const one = deliveryDetail(row)
  const here = sitePath(site.id, `deliveries/${one.id}`)
  const why = standsInTheWay(one)
  const warnings = saidOf({ error: null, warnings: one.warnings })
  return await show(c, front, {
    title: one.payload.title || `Delivery ${one.id}`,
    menu: true,
    page: 'deliveries',
    site: site.id,
    actions: (
      <>
        <State status={one.status} />
        <For right="edit">
          {one.status === 'unclear' && (
            <form method="post" action={`${here}/confirm`}>
              <button type="submit">Mark as published</button>
            </form>
          )}
          {why === undefined && (
            <form method="post" action={`${here}/replay`}>
              <button class="plain" type="submit">
                Send it again
              </button>
            </form>
          )}
        </For>
      </>
    ),
    body: (
      <>
        <Outcome site={site.id} one={one} why={why} />
        {one.error !== null && (
          <div class={`notice ${one.status === 'failed' ? 'bad' : 'warn'}`}>
            <p>{forPeople(one.error)}</p>
          </div>
        )}
        {warnings.length > 0 && (
          <div class="notice warn">
            {warnings.map((warning) => (
              <p>{warning}</p>
            ))}
          </div>
        )}
        <div class="cards">
          <Card
            title="Attempts"
            note={one.attempts.length < one.attempt_count ? `the first ${one.attempts.length}` : undefined}
            span="c7"
          >
            {one.attempts.length === 0 ? <Empty>It was not sent yet.</Empty> : <Attempts attempts={one.attempts} />}
          </Card>
          <About site={site.id} one={one} kind={kindOf(row)} />
          <Card title="What was sent">
            <details class="in">
              <summary>Show it as the receiver got it</summary>
              <pre class="scroll" tabindex={0}>
                {JSON.stringify(one.payload, null, 2)}
              </pre>
            </details>
          </Card>
        </div>
      </>
    ),
  })
}

/**
 * Adds the pages of deliveries to a site and their outcomes.
 *
 * A finished delivery can be sent again, and one with an unclear answer can be marked as published.
 */
export const deliveriesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/deliveries', signedIn(front), (c) => list(c, front))
  app.get('/p/:site/deliveries/:delivery', signedIn(front), (c) => detailPage(c, front))
  app.post('/p/:site/deliveries/:delivery/replay', signedIn(front), async (c) => {
    const { site, row } = await load(c, front)
    return await act(c, front, sitePath(site.id, `deliveries/${row.id}`), async () => {
      const { status } = (await replayDelivery(ctxOf(c, front), front.targets, row.id)) as { status?: string }
      return status === 'published' || status === 'delivered' || status === 'sent_as_draft'
        ? 'Sent again, and the site accepted it.'
        : { tone: 'warn', text: 'Sent again. How that ends is shown among the deliveries.' }
    })
  })
  app.post('/p/:site/deliveries/:delivery/confirm', signedIn(front), async (c) => {
    const { site, row } = await load(c, front)
    return await act(c, front, sitePath(site.id, `deliveries/${row.id}`), async () => {
      await confirmDelivery(ctxOf(c, front), row.id)
      return 'Marked as published. Nothing was sent.'
    })
  })
}
