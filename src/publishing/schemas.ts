import * as z from 'zod/mini'
import { httpUrl, intParam, label, list, rawText, text } from '../lib/fields.ts'
import { pagingParams } from '../lib/paging.ts'
import { DELIVERY_STATUSES, PUBLISHING_PLATFORMS } from './values.ts'

/** A token that can stand in an HTTP header: visible ASCII. */
const headerToken = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(1_000),
  z.refine((value) => /^[\x21-\x7e]+$/.test(value), { error: 'must be visible ASCII characters without blanks' }),
)

/** Body of `POST /projects/:id/integrations`; each platform has its own fields. */
export const ConnectIntegration = z.object({
  platform: label(PUBLISHING_PLATFORMS),
  name: z.optional(text(200, 1)),
  url: z.optional(text(2_000)),
  access_token: z.optional(headerToken),
})

export const ListIntegrations = z.object({ ...pagingParams, project_id: z.optional(intParam(1)) })

export const ListDeliveries = z.object({
  ...pagingParams,
  project_id: z.optional(intParam(1)),
  status: z.optional(label(DELIVERY_STATUSES)),
})

const MAX_CONTENT = 500_000

/** Body of `POST /articles/:id/sync`: the edits, any subset; none sends what is saved. */
export const SyncArticle = z.object({
  content: z.optional(rawText(MAX_CONTENT)),
  title: z.optional(text(500, 1)),
  meta_description: z.optional(text(1_000)),
  feature_image: z.optional(
    z.union([z.literal(''), httpUrl()], { error: 'must be an absolute http or https URL, or empty' }),
  ),
  alt_text: z.optional(text(1_000)),
  tags: z.optional(list()),
  category: z.optional(text(200)),
})

export type SyncArticleInput = z.infer<typeof SyncArticle>
export type ConnectIntegrationInput = z.infer<typeof ConnectIntegration>
export type ListIntegrationsInput = z.infer<typeof ListIntegrations>
export type ListDeliveriesInput = z.infer<typeof ListDeliveries>
