import * as z from 'zod/mini'
import { headerLine, httpUrl, id, intParam, label, list, rawText, text } from '../lib/fields.ts'
import { pagingParams } from '../lib/paging.ts'
import { DELIVERY_STATUSES, PUBLISHING_PLATFORMS } from './values.ts'

/** Body of `POST /projects/:id/integrations`; each platform's own fields are checked by its connection form. */
export const ConnectIntegration = z.looseObject({
  platform: label(PUBLISHING_PLATFORMS),
  name: z.optional(text(200, 1)),
})

/** Body of `POST /projects/:id/cms-site`; its older names are `wordpress_url` and `wp_username`. */
export const ConnectCmsSite = z.object({
  cms_url: z.optional(text(2_000)),
  wordpress_url: z.optional(text(2_000)),
  integration_key: headerLine(500),
  cms_username: z.optional(text(200)),
  wp_username: z.optional(text(200)),
})

/** Body of `POST /articles/:id/rollback`; without a version the latest kept one is put back. */
export const RollbackArticle = z.object({ version_id: z.optional(id()) })

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
export type ConnectCmsSiteInput = z.infer<typeof ConnectCmsSite>
export type RollbackArticleInput = z.infer<typeof RollbackArticle>
export type ConnectIntegrationInput = z.infer<typeof ConnectIntegration>
export type ListIntegrationsInput = z.infer<typeof ListIntegrations>
export type ListDeliveriesInput = z.infer<typeof ListDeliveries>
