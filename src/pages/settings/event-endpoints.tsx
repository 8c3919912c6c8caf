import type { Hono } from 'hono'
import { EVENT_KINDS } from '../../../schema/values/events.ts'
import {
  createEndpoint,
  listEndpoints,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
  testEndpoint,
} from '../../accounts/events/endpoints.ts'
import { CreateEndpoint } from '../../accounts/events/operations.ts'
import { HELP, PATHS } from '../../accounts/people/paths.ts'
import { listProjects } from '../../accounts/projects/read.ts'
import { ApiError, type FieldError } from '../../platform/lib/errors.ts'
import { fieldErrors } from '../../platform/lib/issues.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { labelOf } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Field, Moment, Pill, Select, Table, wrongWith } from '../parts.tsx'
import { wordsOf } from '../words.ts'

type Endpoint = Awaited<ReturnType<typeof listEndpoints>>['event_endpoints'][number]

type Shown = {
  notice?: Notice
  status?: 200 | 400 | 404 | 409 | 429
  /** Submitted values, and their errors. */
  sent?: Record<string, string>
  errors?: readonly FieldError[]
}

const State = ({ endpoint }: { endpoint: Endpoint }) => {
  if (endpoint.status === 'paused') return <Pill tone="bad">Paused</Pill>
  if (endpoint.failing_since !== null) return <Pill tone="warn">Failing</Pill>
  return endpoint.last_sent_at === null ? <Pill>Nothing sent yet</Pill> : <Pill tone="good">Works</Pill>
}

const Actions = ({ endpoint: { id, url, status, failing_since: failing } }: { endpoint: Endpoint }) => {
  const button = (path: string, label: string, danger = false) => (
    <ActionButton
      action={`${PATHS.eventEndpoints}/${path}`}
      label={label}
      name={url}
      fields={{ id: String(id) }}
      danger={danger}
    />
  )
  return (
    <div class="row">
      {button('test', 'Test')}
      {(status === 'paused' || failing !== null) && button('resume', status === 'paused' ? 'Resume' : 'Try again')}
      {button('rotate', 'New secret')}
      {button('delete', 'Delete', true)}
    </div>
  )
}

const page = async (c: PagesContext, front: Front, { notice, status = 200, sent = {}, errors = [] }: Shown = {}) => {
  const ctx = ctxOf(c, front)
  const [{ event_endpoints: endpoints }, { rows: projects }] = await Promise.all([
    listEndpoints(ctx),
    listProjects(ctxOf(c, front), {}),
  ])
  const nameOf = (id: number | null): string => {
    const project = projects.find((one) => one.id === id)
    return id === null ? 'All sites' : project ? labelOf(project) : `Site ${id}`
  }
  const sites = [['', 'All sites'], ...projects.map((one) => [String(one.id), labelOf(one)] as const)] as const
  return await show(c, front, {
    title: 'Event endpoints',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>
          An endpoint is an address of your own program, such as an automation. It gets a signed message for each thing
          that happens to articles, approvals and deliveries. Articles are published through{' '}
          <a href={PATHS.integrations}>connections</a>, never through an endpoint.{' '}
          <a href={HELP.events}>How to build one</a>
        </p>
        {endpoints.length === 0 ? (
          <Empty>There is no endpoint.</Empty>
        ) : (
          <Table
            caption="Endpoints"
            heads={['Address', 'Gets', 'State', 'Last accepted', '']}
            rows={endpoints.map((endpoint) => [
              <>
                <code>{endpoint.url}</code>
                {endpoint.description !== '' && <div>{endpoint.description}</div>}
              </>,
              `${endpoint.kinds.length === 0 ? 'Everything' : endpoint.kinds.join(', ')}. ${nameOf(endpoint.project_id)}`,
              <>
                <State endpoint={endpoint} />
                {endpoint.last_error !== null && <div>{endpoint.last_error}</div>}
              </>,
              endpoint.last_sent_at === null ? 'Never' : <Moment at={new Date(endpoint.last_sent_at)} />,
              <Actions endpoint={endpoint} />,
            ])}
          />
        )}
        <h2>Add an endpoint</h2>
        <form class="stack narrow" method="post" action={PATHS.eventEndpoints}>
          <Field
            name="url"
            label="Address"
            hint="Begins with https://"
            value={sent.url}
            error={wrongWith(errors, 'url')}
            required
            maxlength={2_000}
          />
          <Field
            name="kinds"
            label="Kinds of events"
            hint={`Leave it empty for all, or name some, with commas: ${EVENT_KINDS.join(', ')}`}
            value={sent.kinds}
            error={wrongWith(errors, 'kinds')}
            maxlength={2_000}
          />
          <Select name="project_id" label="Site" options={sites} chosen={sent.project_id ?? ''} />
          <Field
            name="description"
            label="What it is for"
            value={sent.description}
            error={wrongWith(errors, 'description')}
            maxlength={200}
          />
          <button type="submit">Add the endpoint</button>
        </form>
      </>
    ),
  })
}

const TRIES = { name: 'people.event_endpoints', perMinute: 10 }

/** Adds the page of the addresses that receive events. */
export const eventEndpointPages = (app: Hono<PagesEnv>, front: Front): void => {
  const may = async (c: PagesContext) =>
    (await front.deps.limiter.take(TRIES, String(c.get('person').accountId))).allowed
  const refused = (error: unknown): Shown => {
    if (!(error instanceof ApiError)) throw error
    if (error.extras.details) return { errors: error.extras.details, status: 400 }
    const status = error.code === 'not_found' || error.code === 'forbidden' ? 404 : 409
    return { notice: { tone: 'bad', text: wordsOf(error) }, status }
  }
  const act = async (c: PagesContext, run: (id: number) => Promise<Notice>) => {
    const { id } = await formOf(c)
    if (!(await may(c))) return await tooMany(c)
    try {
      return await backTo(c, front, PATHS.eventEndpoints, await run(idIn(id)))
    } catch (error) {
      return await page(c, front, refused(error))
    }
  }
  const tooMany = (c: PagesContext, sent: Record<string, string> = {}) =>
    page(c, front, { sent, notice: { tone: 'bad', text: 'Too many tries. Wait a minute.' }, status: 429 })

  app.get(PATHS.eventEndpoints, signedIn(front), (c) => page(c, front))
  app.post(PATHS.eventEndpoints, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const { project_id: site = '', ...texts } = sent
    const given = { ...texts, ...(site === '' ? {} : { project_id: idIn(site) }) }
    const checked = CreateEndpoint.safeParse(given)
    if (!checked.success)
      return await page(c, front, { sent, errors: fieldErrors(checked.error.issues, given), status: 400 })
    if (!(await may(c))) return await tooMany(c, sent)
    try {
      const { signing_secret: secret } = await createEndpoint(ctxOf(c, front), checked.data)
      const text =
        'The endpoint was added. Copy now the secret with which your program checks messages: it is not shown again.'
      return await backTo(c, front, PATHS.eventEndpoints, { tone: 'good', text, secret })
    } catch (error) {
      return await page(c, front, { sent, ...refused(error) })
    }
  })
  app.post(`${PATHS.eventEndpoints}/test`, signedIn(front), (c) =>
    act(c, async (id) => {
      const { status, message } = await testEndpoint(ctxOf(c, front), id)
      return { tone: status === 'delivered' ? 'good' : 'bad', text: message }
    }),
  )
  app.post(`${PATHS.eventEndpoints}/resume`, signedIn(front), (c) =>
    act(c, async (id) => ({ tone: 'good', text: (await resumeEndpoint(ctxOf(c, front), id)).message })),
  )
  app.post(`${PATHS.eventEndpoints}/rotate`, signedIn(front), (c) =>
    act(c, async (id) => {
      const { signing_secret: secret } = await rotateSecret(ctxOf(c, front), id)
      const text =
        'Copy now the new secret with which your program checks messages: it is not shown again. For 24 hours, both secrets sign.'
      return { tone: 'good', text, secret }
    }),
  )
  app.post(`${PATHS.eventEndpoints}/delete`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { event_endpoints: endpoints } = await listEndpoints(ctxOf(c, front))
    const endpoint = endpoints.find(({ id }) => id === idIn(fields.id))
    const asking =
      endpoint &&
      (await askToConfirm(c, front, fields, () => ({
        title: 'Delete this endpoint?',
        body: (
          <p>
            Nothing more is sent to <code>{endpoint.url}</code>. To use it again, you have to add it again, with another
            secret.
          </p>
        ),
        label: 'Delete the endpoint',
        back: PATHS.eventEndpoints,
      })))
    if (asking) return asking
    return await act(c, async (id) => ({ tone: 'good', text: (await removeEndpoint(ctxOf(c, front), id)).message }))
  })
}
