import * as z from 'zod/mini'
import { PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { askedUrl, headerLine, headerToken, intParam, label, text } from '../../platform/lib/fields.ts'

/** Body of `POST /projects/:id/integrations`; each platform's own fields are checked by its connection form. */
export const ConnectIntegration = z.looseObject({
  platform: label(PUBLISHING_PLATFORMS),
  name: z.optional(text(200, 1)),
})

/** Body of `POST /projects/:id/cms-site`; its older names are `wordpress_url` and `wp_username`. */
export const ConnectCmsSite = z
  .object({
    cms_url: z.optional(askedUrl()),
    wordpress_url: z.optional(askedUrl()),
    integration_key: headerLine(500),
    cms_username: z.optional(text(200)),
    wp_username: z.optional(text(200)),
  })
  .check(
    z.refine(({ cms_url, wordpress_url }) => (cms_url ?? wordpress_url) !== undefined, {
      path: ['cms_url'],
      error: 'is required',
      // Also beside what else is missing, so that all of it is named at once.
      when: () => true,
    }),
  )

/** Body of `PUT /integrations/:id`. */
export const ChangeIntegration = z.object({
  name: z.optional(text(200, 1)),
  access_token: z.optional(headerToken(1_000)),
  rotate_signing_secret: z.optional(z.literal(true)),
})

export const ListIntegrations = z.object({ ...pagingParams(), project_id: z.optional(intParam(1)) })

/** Body of `POST /integrations/:id/test`. */
export const TestIntegration = z.object({ sample: z.optional(z.boolean()) })

export type ChangeIntegrationInput = z.infer<typeof ChangeIntegration>
export type TestIntegrationInput = z.infer<typeof TestIntegration>
export type ConnectCmsSiteInput = z.infer<typeof ConnectCmsSite>
export type ConnectIntegrationInput = z.infer<typeof ConnectIntegration>
export type ListIntegrationsInput = z.infer<typeof ListIntegrations>
