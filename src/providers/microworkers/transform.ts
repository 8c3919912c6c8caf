import * as z from 'zod/mini'
import { type CampaignStatus, RATINGS } from '../../../schema/values/crowdwork.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import type { CampaignOrder, Slot as CrowdSlot, LiveCampaign, Proof } from '../../reach/crowdwork/port.ts'

const text = z.nullish(z.string())
const count = z.nullish(z.coerce.number())
/** Ids are texts or numbers. */
const id = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value: string | number) => String(value)),
)

export const Made = z.object({ id })

export const Campaign = z.object({
  id,
  title: z._default(z.string(), ''),
  description: z._default(z.nullable(z.string()), ''),
  status: z._default(z.string(), ''),
  availablePositions: count,
  paymentPerTask: count,
  created: z.nullish(z.union([z.string(), z.number()])),
  finished: z.nullish(z.union([z.string(), z.number()])),
  blockedReason: text,
  slotsCount: z.nullish(
    z.object({
      locked: count,
      unTaken: count,
      ok: count,
      nok: count,
      notRated: count,
      notReviewed: count,
      revise: count,
    }),
  ),
})
export type Campaign = z.infer<typeof Campaign>

const Answer = z.object({ question: text, answer: z.nullish(z.unknown()) })

export const Slot = z.object({
  id,
  status: z._default(z.string(), ''),
  workerId: z.nullish(id),
  finishedTime: z.nullish(z.union([z.string(), z.number()])),
  fileProofs: z.nullish(z.array(z.string())),
  tasksAnswers: z.nullish(z.array(z.object({ questionsAnswers: z.nullish(z.array(Answer)) }))),
})
export type Slot = z.infer<typeof Slot>

export const Campaigns = z.object({ items: z.array(Campaign), nextPageToken: text })
export const Slots = z.object({ items: z.array(Slot), nextPageToken: text })

export const Categories = z.object({
  items: z.array(z.object({ id, subCategories: z.nullish(z.array(z.object({ id }))) })),
})

/** Errors look like problem details (RFC 9457). Their exact fields are not documented. */
export const Problem = z.object({
  title: text,
  detail: text,
  message: text,
  violations: z.nullish(z.array(z.object({ propertyPath: text, message: text }))),
})

/** Known states of campaigns. For an unknown state, the last known one is kept. */
const STATUSES: Readonly<Record<string, CampaignStatus>> = {
  PENDING_REVIEW: 'created',
  PENDING: 'created',
  RUNNING: 'running',
  PAUSED: 'paused',
  PAUSED_ADMIN: 'paused',
  PAUSED_SYSTEM: 'paused',
  PENDING_RESTART: 'paused',
  FINISHED: 'finished',
  STOPPED: 'stopped',
  BLOCKED: 'stopped',
}

/** Returns words of a worker or the provider, cut to the length that is stored. */
export const keptText = (value: unknown, max = 20_000): string =>
  clip(storableText(typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '')), max)

const numberOf = (value: number | null | undefined): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0

/** Returns a time in ISO 8601, from text or seconds since 1970; null if the value is neither. */
export const isoOf = (value: string | number | null | undefined): string | null => {
  if (value === null || value === undefined || value === '') return null
  const date = new Date(typeof value === 'number' ? value * 1_000 : value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

export const toLive = (campaign: Campaign): LiveCampaign => {
  const counts = campaign.slotsCount
  return {
    id: campaign.id,
    title: keptText(campaign.title, 500),
    description: keptText(campaign.description ?? ''),
    status: STATUSES[campaign.status.toUpperCase()],
    providerStatus: keptText(campaign.status, 100),
    availablePositions: numberOf(campaign.availablePositions),
    paymentCents: numberOf((campaign.paymentPerTask ?? 0) * 100),
    slots: {
      untaken: numberOf(counts?.unTaken),
      locked: numberOf(counts?.locked),
      not_rated: numberOf(counts?.notRated),
      not_reviewed: numberOf(counts?.notReviewed),
      ok: numberOf(counts?.ok),
      nok: numberOf(counts?.nok),
      revise: numberOf(counts?.revise),
    },
    blockedReason: campaign.blockedReason ? keptText(campaign.blockedReason, 1_000) : null,
    finishedAt: isoOf(campaign.finished),
  }
}

const proofsOf = ({ tasksAnswers, fileProofs }: Slot): Proof[] => [
  ...(tasksAnswers ?? []).flatMap(({ questionsAnswers }) =>
    (questionsAnswers ?? []).map(
      ({ question, answer }): Proof => ({
        type: 'answer',
        question: keptText(question ?? '', 2_000),
        answer: keptText(answer),
      }),
    ),
  ),
  ...(fileProofs ?? []).map((url): Proof => ({ type: 'file', url: keptText(url, 2_000) })),
]

export const toSlot = (slot: Slot): CrowdSlot => {
  const status = slot.status.toUpperCase()
  return {
    id: slot.id,
    workerId: slot.workerId ?? '',
    status: keptText(status, 100),
    submittedAt: isoOf(slot.finishedTime),
    proofs: proofsOf(slot),
    rating: RATINGS.find((rating) => rating === status) ?? null,
  }
}

/** Rating method in which only the employer rates, not the provider. */
const EMPLOYER_RATES = 3

/** Returns the body of a new campaign, open to workers of all countries. */
export const campaignBody = (order: CampaignOrder, categoryId: string): Record<string, unknown> => ({
  title: order.title,
  description: order.description,
  categoryId,
  availablePositions: order.availablePositions,
  paymentPerTask: order.paymentCents / 100,
  minutesToFinish: order.minutesToFinish,
  speed: order.speed,
  ttr: order.ttr,
  internationalZone: { id: 'int', excludedCountries: [] },
  internalTemplate: {
    id: order.templateId,
    ratingMethodId: EMPLOYER_RATES,
    ...(order.fileProofs === undefined ? {} : { numberOfFileProofs: order.fileProofs }),
    ...(order.allowedFileTypes === undefined ? {} : { allowedFileTypes: order.allowedFileTypes }),
  },
  tasks: [],
})
