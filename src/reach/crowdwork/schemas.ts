import * as z from 'zod/mini'
import { CAMPAIGN_STATUSES, RATINGS } from '../../../schema/values/crowdwork.ts'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import { dollars } from '../../platform/lib/dollars.ts'
import { id, intParam, label, labels, list, rawText, text } from '../../platform/lib/fields.ts'
import { SLOT_STATUSES } from './rules.ts'

const whole = (min: number, max: number) => z.optional(z.int().check(z.gte(min), z.lte(max)))

/** An id of the provider's, whose form is its own affair. */
const ProviderId = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(200),
  z.refine((value) => /^[A-Za-z0-9][\w.:-]*$/.test(value), { error: 'must be an id as it came in an answer' }),
)

export const CreateCampaign = z.object({
  project_id: id(),
  title: text(200, 1),
  description: text(10_000, 1),
  template_html: rawText(200_000).check(
    z.minLength(1),
    z.refine((html) => html === '' || html.trim() !== '', { error: 'must not be blank' }),
  ),
  available_positions: whole(1, 1_000),
  payment_per_task: z.optional(dollars(0.15, 1_000)),
  platform: z.optional(text(100, 1)),
  campaign_type: z.optional(text(100, 1)),
  category_id: z.optional(text(100, 1)),
  minutes_to_finish: whole(1, 10_080),
  ttr: whole(1, 30),
  speed: whole(1, 1_000),
  template_title: z.optional(text(200, 1)),
  number_of_file_proofs: whole(0, 20),
  allowed_file_types: z.optional(list()),
})

export const RegisterCampaign = z.object({ campaign_id: ProviderId, project_id: z.optional(id()) })

export const ListCampaigns = z.object({
  project_id: z.optional(intParam(1)),
  status: z.optional(labels(CAMPAIGN_STATUSES)),
  ...pagingParams(),
})

export const ListSlots = z.object({
  page: z.optional(intParam(1)),
  pageSize: z.optional(lengthParam()),
  page_size: z.optional(lengthParam()),
  status: z.optional(label(SLOT_STATUSES)),
})

export const RateSlot = z
  .object({ campaign_id: ProviderId, rating: label(RATINGS), comment: z.optional(text(2_000)) })
  .check(
    z.refine(({ rating, comment }) => (rating !== 'NOK' && rating !== 'REVISE') || (comment ?? '') !== '', {
      error: 'is required with NOK and REVISE: it tells the worker why',
      path: ['comment'],
    }),
  )

export const CrowdworkSpend = z.object({
  project_id: intParam(1),
  month: z.optional(
    z
      .string()
      .check(z.refine((value) => /^20\d\d-(0[1-9]|1[0-2])$/.test(value), { error: 'must be a month as YYYY-MM' })),
  ),
})

export const campaignParams = { campaign_id: ProviderId }
export const slotParams = { slot_id: ProviderId }

export type CreateCampaignInput = z.infer<typeof CreateCampaign>
export type RegisterCampaignInput = z.infer<typeof RegisterCampaign>
export type ListCampaignsInput = z.infer<typeof ListCampaigns>
export type ListSlotsInput = z.infer<typeof ListSlots>
export type RateSlotInput = z.infer<typeof RateSlot>
export type CrowdworkSpendInput = z.infer<typeof CrowdworkSpend>
