import * as z from 'zod/mini'
import { PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { fetchableUrl, headerLine, headerToken, intParam, label, means, text } from '../../platform/lib/fields.ts'

/** Body of `POST /projects/:id/integrations`; each platform's own fields are checked by its connection form. */
export const ConnectIntegration = z.looseObject({
  platform: means(
    'Platform to connect. Each platform has additional fields, listed below. See [Webhooks](webhooks.md) and [Connect a site](../guides/connect.md).',
    label(PUBLISHING_PLATFORMS),
  ),
  name: means('Display name of the integration.', z.optional(text(200, 1)), 'the host of its URL'),
})

/** Body of `POST /projects/:id/cms-site`; its older names are `wordpress_url` and `wp_username`. */
const ConnectCmsSite = z
  .object({
    cms_url: means('URL of the WordPress site.', z.optional(fetchableUrl())),
    wordpress_url: means('Older name of `cms_url`.', z.optional(fetchableUrl())),
    integration_key: means(
      'Key of our WordPress plugin: `wpk_`, 40 hexadecimal digits and 8 check digits. With `cms_username`: an application password.',
      headerLine(500),
    ),
    cms_username: means('User of the application password.', z.optional(text(200)), 'the key is a plugin key'),
    wp_username: means('Older name of `cms_username`.', z.optional(text(200))),
  })
  .check(
    z.refine(({ cms_url, wordpress_url }) => (cms_url ?? wordpress_url) !== undefined, {
      path: ['cms_url'],
      error: 'is required',
      // Run this check even if other fields are missing, so that all errors are reported at once.
      when: () => true,
    }),
  )

const TARGET = { target_id: intParam(1) }

/** Body of `PUT /integrations/:id`. */
const ChangeIntegration = z.object({
  name: means('Display name of the integration.', z.optional(text(200, 1))),
  access_token: means('New token for deliveries. Only for a webhook.', z.optional(headerToken(1_000))),
  rotate_signing_secret: means(
    'True: creates a new signing secret for a webhook, returned once. For 24 hours, deliveries are signed with both secrets.',
    z.optional(z.literal(true)),
  ),
})

const ListIntegrations = z.object({
  ...pagingParams(),
  project_id: means(
    'Returns only integrations of this project.',
    z.optional(intParam(1)),
    'all projects of the account',
  ),
})

/** Body of `POST /integrations/:id/test`. */
const TestIntegration = z.object({
  sample: means(
    'True: sends a sample article, which the target does not store.',
    z.optional(z.boolean()),
    '`false`, no article',
  ),
})

export type ChangeIntegrationInput = z.infer<typeof ChangeIntegration>
export type TestIntegrationInput = z.infer<typeof TestIntegration>
export type ConnectCmsSiteInput = z.infer<typeof ConnectCmsSite>
export type ConnectIntegrationInput = z.infer<typeof ConnectIntegration>
export type ListIntegrationsInput = z.infer<typeof ListIntegrations>

/** Operations that connect, test, change and disconnect publishing targets. */
export const integrationOperations = {
  cmsSite: {
    id: 'projects.cms_site',
    method: 'POST',
    path: '/projects/:id/cms-site',
    aliases: ['/projects/:id/wordpress'],
    perMinute: 10,
    scope: 'write',
    summary: "Connects a WordPress site through the service's plugin or an application password.",
    json: ConnectCmsSite,
    errors: ['forbidden_url', 'cms_rejected', 'not_found', 'forbidden', 'edit_conflict'],
  },
  integrations: {
    id: 'integrations.list',
    method: 'GET',
    path: '/integrations',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists active integrations.',
    query: ListIntegrations,
    errors: ['not_found', 'forbidden'],
  },
  integration: {
    id: 'integrations.get',
    method: 'GET',
    path: '/integrations/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns an active integration, without its secrets.',
    etag: true,
    errors: ['not_found', 'forbidden'],
  },
  schema: {
    id: 'integrations.schema',
    method: 'GET',
    path: '/integrations/:id/schema',
    perMinute: 30,
    scope: 'read',
    summary:
      'Lists the fields of posts at the platform: what fills each, and which ones `fields` of an article can set.',
    errors: ['not_found', 'forbidden', 'unsupported_platform', 'cms_rejected', 'provider_unavailable'],
  },
  changeIntegration: {
    id: 'integrations.update',
    method: 'PUT',
    path: '/integrations/:id',
    perMinute: 10,
    scope: 'write',
    summary:
      'Changes the name, or the token and signing secret of a webhook. After a change of secret, both secrets sign for 24 hours.',
    json: ChangeIntegration,
    etag: true,
    ifMatch: true,
    errors: ['not_found', 'forbidden', 'unsupported_platform', 'edit_conflict'],
  },
  connect: {
    id: 'integrations.connect',
    method: 'POST',
    path: '/projects/:id/integrations',
    perMinute: 10,
    scope: 'write',
    summary: 'Connects a publishing target and replaces the previous one of the project.',
    success: [201],
    json: ConnectIntegration,
    errors: ['forbidden_url', 'unsupported_platform', 'cms_rejected', 'not_found', 'forbidden', 'edit_conflict'],
  },
  targets: {
    id: 'targets.list',
    method: 'GET',
    path: '/projects/:id/targets',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the home and the followers of a project.',
    errors: ['not_found', 'forbidden'],
  },
  follow: {
    id: 'targets.add',
    method: 'POST',
    path: '/projects/:id/targets',
    perMinute: 10,
    scope: 'write',
    summary:
      'Adds a follower: a target that gets a copy of each published article. The fields of a platform are those of `POST /projects/:id/integrations`.',
    success: [201],
    json: ConnectIntegration,
    errors: ['forbidden_url', 'unsupported_platform', 'cms_rejected', 'not_found', 'forbidden', 'edit_conflict'],
  },
  unfollow: {
    id: 'targets.delete',
    method: 'DELETE',
    path: '/projects/:id/targets/:target_id',
    params: TARGET,
    perMinute: 10,
    scope: 'write',
    summary: 'Ends a follower.',
    errors: ['not_found', 'forbidden'],
  },
  test: {
    id: 'integrations.test',
    method: 'POST',
    path: '/integrations/:id/test',
    perMinute: 10,
    scope: 'write',
    summary: 'Sends a test to the target, with `sample: true` a sample article. The target stores no post.',
    json: TestIntegration,
    bodyOptional: true,
    errors: ['not_found', 'forbidden', 'unsupported_platform', 'project_archived'],
  },
  disconnect: {
    id: 'integrations.delete',
    method: 'DELETE',
    path: '/integrations/:id',
    perMinute: 10,
    scope: 'write',
    summary: 'Disconnects an integration and deletes its secrets.',
    ifMatch: true,
    errors: ['not_found', 'forbidden', 'unsupported_platform'],
  },
} as const satisfies Operations

const CatalogQuery = z.object({
  project_id: means('ID of the project.', intParam(1)),
  category: means(
    'Returns only this category: `blog`, `social`, `ads`, `analytics`, `developer` or `lab`. Other values return no integrations.',
    z.optional(text(100)),
    'all categories',
  ),
})

const ConnectQuery = z.object({
  project_id: means('ID of the project.', intParam(1)),
  integration: means(
    'Key or name of the integration, as listed by `GET /integrations/catalog`. Case does not matter.',
    text(100, 1),
  ),
})

export type CatalogInput = z.infer<typeof CatalogQuery>
export type ConnectInput = z.infer<typeof ConnectQuery>

/** Operations that list the integrations of a project and show how a person connects them. */
export const catalogOperations = {
  catalog: {
    id: 'integrations.catalog',
    method: 'GET',
    path: '/integrations/catalog',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists all integrations for a project, and which are connected.',
    query: CatalogQuery,
    errors: ['not_found', 'forbidden'],
  },
  connect: {
    id: 'integrations.how_to_connect',
    method: 'GET',
    path: '/integrations/connect',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns how a person connects an integration: the page to open, and the steps.',
    query: ConnectQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
