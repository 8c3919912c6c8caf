import { randomBytes } from 'node:crypto'
import { keptIn } from '../kept.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Campaign of the stand-in, as the provider writes it: payments in dollars, states in capitals. */
type StandInCampaign = {
  id: string
  title: string
  description: string
  status: string
  availablePositions: number
  paymentPerTask: number
  templateId: string
  created: string
}

type StandInSlot = {
  id: string
  campaignId: string
  workerId: string
  status: string
  finishedTime: string
  employerComment: string | null
  answer: string
}

const count = (slots: readonly StandInSlot[], status: string): number =>
  slots.filter((slot) => slot.status === status).length

/** Returns a campaign as the API shows it. */
const campaignShown = (campaign: StandInCampaign, slots: readonly StandInSlot[]) => ({
  ...campaign,
  categoryId: '1001',
  minutesToFinish: 10,
  ttr: 3,
  speed: 300,
  internalTemplate: { id: campaign.templateId },
  slotsCount: {
    locked: 0,
    unTaken: Math.max(0, campaign.availablePositions - slots.length),
    ok: count(slots, 'OK'),
    nok: count(slots, 'NOK'),
    notRated: count(slots, 'NOTRATED'),
    notReviewed: 0,
    revise: count(slots, 'REVISE'),
    reviseAdmin: 0,
  },
})

/** Returns a slot as the API shows it. Like the provider's slots, it does not name its campaign. */
const slotShown = ({ campaignId: _, answer, ...slot }: StandInSlot) => ({
  ...slot,
  country: 'Netherlands',
  countryCode: 'NL',
  fileProofs: [`https://files.example/${slot.id}.png`],
  tasksAnswers: [
    {
      taskId: 'task',
      successRate: 0,
      questionsAnswers: [{ questionId: 'q1', question: 'Your answer', answer, rate: null }],
    },
  ],
})

export type RunningCrowdwork = StandIn & {
  /** The base URL of the API. */
  apiUrl: string
  campaigns: StandInCampaign[]
  templates: { id: string; title: string; htmlCode: string }[]
  slots: StandInSlot[]
  /** Makes workers finish this many slots of a campaign. */
  work: (campaignId: string, count: number, answer?: string) => StandInSlot[]
}

const BASE = '/api/v2'
const problem = (status: number, title: string, detail: string, violations: unknown[] = []): Answer =>
  json(status, { type: '/handle-errors/api', title, detail, violations })
const absent = () => problem(404, 'DoesNotExist', 'The resource does not exist.')
const newId = () => randomBytes(6).toString('hex')

/** Returns a page of rows. The token is the index of its first row. */
const paged = (request: StandInRequest, rows: readonly unknown[]): Answer => {
  const size = Math.min(100, Number(request.query.get('pageSize') ?? 10))
  const from = Number(request.query.get('nextPageToken') || 0)
  const next = from + size < rows.length ? String(from + size) : null
  return json(200, { items: rows.slice(from, from + size), perPage: size, nextPageToken: next })
}

type State = Pick<RunningCrowdwork, 'campaigns' | 'templates' | 'slots'>

/** Durations of the review by people and of a worker's task, ms. */
const REVIEW_MS = 3_000
const TASK_MS = 3_000
const MAX_BY_CLOCK = 5

/**
 * Starts a stand-in of Microworkers' API 2.0: templates, campaigns and slots that wait for a rating.
 *
 * The clock moves campaigns through their review and their work. `POST /_work` finishes slots at once, `/_faults` makes
 * it misbehave.
 */
export const startCrowdwork = async ({
  key,
  port = 0,
  clock = true,
  dir,
}: {
  key: string
  port?: number
  clock?: boolean
  dir?: string
}): Promise<RunningCrowdwork> => {
  const empty: State = { campaigns: [], templates: [], slots: [] }
  const { data, save } = keptIn(dir, 'crowdwork.json', empty)
  const { campaigns, templates, slots } = data

  const work: RunningCrowdwork['work'] = (campaignId, count, answer = 'Done, see the file.') => {
    const campaign = campaigns.find(({ id }) => id === campaignId)
    const made = Array.from({ length: count }, (): StandInSlot => {
      const id = `${campaignId}_B_${newId()}_${slots.length + 1}`
      const finishedTime = new Date().toISOString()
      return { id, campaignId, workerId: newId(), status: 'NOTRATED', finishedTime, employerComment: null, answer }
    })
    slots.push(...made)
    if (campaign) campaign.status = 'RUNNING'
    return made
  }

  const ofCampaign = (id: string) => slots.filter(({ campaignId }) => campaignId === id)

  /** Moves campaigns forward by the time since they were made. */
  const advance = (): void => {
    if (!clock) return
    for (const campaign of campaigns) {
      const age = Date.now() - Date.parse(campaign.created)
      if (campaign.status === 'PENDING_REVIEW' && age > REVIEW_MS) campaign.status = 'RUNNING'
      if (campaign.status !== 'RUNNING') continue
      const due = Math.min(MAX_BY_CLOCK, campaign.availablePositions, Math.floor((age - REVIEW_MS) / TASK_MS))
      const open = due - ofCampaign(campaign.id).length
      if (open > 0) work(campaign.id, open)
      if (ofCampaign(campaign.id).length >= campaign.availablePositions) campaign.status = 'FINISHED'
    }
  }

  const make = (body: Record<string, unknown>): Answer => {
    const template = (body.internalTemplate as { id?: string } | undefined)?.id
    const violations = [
      ...(typeof body.title === 'string' && body.title !== ''
        ? []
        : [{ propertyPath: 'title', message: 'should not be blank' }]),
      ...(templates.some(({ id }) => id === template)
        ? []
        : [{ propertyPath: 'internalTemplate.id', message: 'does not exist' }]),
      ...(body.categoryId === undefined ? [{ propertyPath: 'categoryId', message: 'should not be null' }] : []),
      ...(Number(body.paymentPerTask) >= 0.05
        ? []
        : [{ propertyPath: 'paymentPerTask', message: 'is below the minimum' }]),
    ]
    if (violations.length > 0) return problem(400, 'ValidationFailed', 'The campaign is not valid.', violations)
    const campaign: StandInCampaign = {
      id: newId(),
      title: String(body.title),
      description: String(body.description ?? ''),
      status: 'PENDING_REVIEW',
      availablePositions: Number(body.availablePositions),
      paymentPerTask: Number(body.paymentPerTask),
      templateId: template ?? '',
      created: new Date().toISOString(),
    }
    campaigns.push(campaign)
    return json(201, campaignShown(campaign, []))
  }

  const rate = (slot: StandInSlot, body: Record<string, unknown>): Answer => {
    if (!['OK', 'NOK', 'REVISE'].includes(String(body.rating)))
      return problem(400, 'ValidationFailed', 'rating: this value is not valid.')
    if (body.rating !== 'OK' && !body.comment) return problem(400, 'ValidationFailed', 'comment: should not be blank.')
    if (slot.status === 'OK' || slot.status === 'NOK') return problem(400, 'AlreadyRated', 'The slot is rated already.')
    slot.status = String(body.rating)
    slot.employerComment = body.comment === undefined ? null : String(body.comment)
    return { status: 204, headers: {}, body: '' }
  }

  const api = (request: StandInRequest, path: string): Answer => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const call = `${request.method} ${path}`
    if (call === 'GET /basic-categories')
      return json(200, {
        items: [{ id: '10', title: 'Surveys', subCategories: [{ id: '1001', title: 'Short survey' }] }],
      })
    if (call === 'POST /templates') {
      const template = { id: newId(), title: String(body.title), htmlCode: String(body.htmlCode) }
      templates.push(template)
      return json(201, { ...template, cssSection: '', jsSection: '', questions: [], variables: [] })
    }
    if (call === 'POST /basic-campaigns') return make(body)
    if (call === 'GET /basic-campaigns')
      return paged(
        request,
        campaigns.toReversed().map((one) => campaignShown(one, ofCampaign(one.id))),
      )
    const [, kind, id, what] = path.split('/')
    if (kind === 'slots') {
      const slot = slots.find((one) => one.id === id)
      if (!slot) return absent()
      return what === 'rate' && request.method === 'PUT' ? rate(slot, body) : json(200, slotShown(slot))
    }
    const campaign = campaigns.find((one) => one.id === id)
    if (kind !== 'basic-campaigns' || !campaign) return absent()
    if (what === undefined) return json(200, campaignShown(campaign, ofCampaign(campaign.id)))
    const [status, worker] = [request.query.get('status'), request.query.get('workerId')]
    const found = ofCampaign(campaign.id).filter(
      (slot) => (status === null || slot.status === status) && (worker === null || slot.workerId === worker),
    )
    return paged(request, found.toReversed().map(slotShown))
  }

  const answer = (request: StandInRequest): Answer => {
    const body = (request.body ?? {}) as {
      campaign?: string
      slots?: number
      answer?: string
      title?: string
      description?: string
    }
    if (request.path === '/_work') return json(200, work(body.campaign ?? '', body.slots ?? 1, body.answer))
    if (!request.path.startsWith(BASE)) return absent()
    if (request.headers.microworkersapikey !== key) return problem(401, 'Unauthorized', 'The API key is not valid.')
    advance()
    const given = api(request, decodeURIComponent(request.path.slice(BASE.length)))
    save()
    return given
  }

  const server = await startStandIn({ port, answer, posts: () => ({ campaigns, templates, slots }) })
  return { ...server, apiUrl: `${server.url}${BASE}`, campaigns, templates, slots, work }
}
