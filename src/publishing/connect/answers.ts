import * as z from 'zod/mini'
import { CONNECTED_STATUSES, PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import { FIELD_TYPES } from '../target/cms-adapter.ts'
import { CATEGORIES } from './catalog.ts'
import type { catalogOperations, integrationOperations } from './operations.ts'

const integration = z.strictObject({
  ID: means('ID of the integration, the `:id` in paths.', id()),
  Platform: means(
    'Connected platform. `search_console` is not a publishing target.',
    z.enum([...PUBLISHING_PLATFORMS, 'search_console']),
  ),
  IntegrationName: means('Display name of the integration.', z.string()),
  Status: means(
    '`Active`: in use; for a publishing target, the home of the project’s articles. `Following`: a follower, which gets copies. Disconnected integrations are not listed.',
    z.enum(CONNECTED_STATUSES),
  ),
  ProjectID: projectId(),
  BusinessName: means('Name of the project’s business.', z.string()),
  Url: means(
    'Address of the site or receiver. For `search_console`: the property, empty until one is chosen.',
    z.string(),
  ),
  LastUsedAt: means('Time of the last use or test. Null if it was never tried.', z.nullable(instant())),
  LastError: means(
    'Error of the last use or test. Null if it succeeded, or if there was none yet.',
    z.nullable(z.string()),
  ),
  CreatedAt: selfExplanatory(instant()),
})

const connected = {
  integration_id: means('ID of the integration, as listed by `GET /integrations`.', id()),
  status: means('Articles of the project are published to this target from now on.', z.literal('connected')),
  message: message(),
  replaced: means(
    'Previous target of the project, which is now disconnected. Absent if there was none.',
    z.optional(
      z.strictObject({
        integration_id: means('ID of the previous target. Its deliveries keep this ID.', id()),
        platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
        name: means('Display name of the previous target.', z.string()),
        url: means('Address of the previous target.', z.string()),
      }),
    ),
  ),
  warning: means(
    'Problem to check before you publish, such as a site that could not be tested. Absent if there is none.',
    z.optional(z.string()),
  ),
}

const disconnected = body({
  integration_id: means('ID of the integration, as listed by `GET /integrations`.', id()),
  deleted: means('True: the integration is disconnected and its secrets are deleted.', z.literal(true)),
  message: message(),
})

/** Answers of the integration operations. */
export const integrationAnswers = {
  cmsSite: {
    200: body({
      project_id: projectId(),
      cms_url: means('Saved URL of the WordPress site.', z.string()),
      ...connected,
    }),
  },
  integrations: { 200: page({ integrations: means('Connected integrations, newest first.', z.array(integration)) }) },
  integration: { 200: body({ integration: selfExplanatory(integration) }) },
  schema: {
    200: body({
      integration_id: means('ID of the integration, as listed by `GET /integrations`.', id()),
      platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
      collection: means('Name of the collection, content type or blog that has the posts.', z.string()),
      fields: means(
        'Fields of posts, as the platform has them now.',
        z.array(
          z.strictObject({
            name: means('Name of the field, for `fields` of an article.', z.string()),
            label: means('Name that people see at the platform.', z.string()),
            type: means(
              'Kind of value. `html`: converted to the field’s own format. `moment`: a time with a zone; `local`: without one. `list`: texts. `choices`: several of `choices`. `other`: cannot be set here.',
              z.enum(FIELD_TYPES),
            ),
            native_type: means('The platform’s own word for the type.', z.string()),
            required: means('True if the platform refuses a post without it.', z.boolean()),
            filled_by: means(
              'Part of the article that fills the field. Null: nothing but `fields`.',
              z.nullable(z.string()),
            ),
            settable: means('True if `fields` of an article can set it.', z.boolean()),
            max_length: means('Most characters. Absent without a limit.', z.optional(count())),
            min: means('Least value. Absent without a limit.', z.optional(z.number())),
            max: means('Largest value. Absent without a limit.', z.optional(z.number())),
            choices: means('The only values that it takes. Absent if it takes any.', z.optional(z.array(z.string()))),
          }),
        ),
      ),
      warning: means('Fields that the platform did not show. Absent if there are none.', z.optional(z.string())),
    }),
  },
  changeIntegration: {
    200: body({
      integration_id: means('ID of the integration, as listed by `GET /integrations`.', id()),
      platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
      name: means('Display name of the integration.', z.string()),
      signing_secret: means(
        'New signing secret, returned only once. Absent without `rotate_signing_secret`.',
        z.optional(z.string()),
      ),
      message: message(),
    }),
  },
  connect: {
    201: body({
      platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
      signing_secret: means(
        'Secret that signs deliveries to the webhook, or events of the repository. It is returned only once. Absent for other platforms.',
        z.optional(z.string()),
      ),
      events_url: means(
        'For a repository: URL for a webhook at its host with the events of pull requests (at GitLab: merge requests), with `signing_secret` as its secret. With it a merge counts at once. Otherwise absent.',
        z.optional(z.string()),
      ),
      found: means(
        'For a repository: how its posts are written, by the fields of the call, as texts (`keys` as JSON). To correct one, send the call again with that field.',
        z.optional(z.record(z.string(), z.string())),
      ),
      ...connected,
    }),
  },
  targets: { 200: body({ targets: means('The home and the followers, oldest first.', z.array(integration)) }) },
  follow: {
    201: body({
      integration_id: means(
        'ID of the follower, for `GET /integrations/:id` and the calls that change or test it.',
        id(),
      ),
      platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
      status: means('The target gets copies of articles that are published from now on.', z.literal('following')),
      message: message(),
      signing_secret: means(
        'Secret that signs deliveries to the webhook. It is returned only once. Absent for other platforms.',
        z.optional(z.string()),
      ),
      found: means(
        'For a repository: how its posts are written, by the fields of the call. Otherwise absent.',
        z.optional(z.record(z.string(), z.string())),
      ),
      warning: means(
        'Problem to check, such as a site that could not be tested. Absent if there is none.',
        z.optional(z.string()),
      ),
    }),
  },
  unfollow: { 200: disconnected },
  test: {
    200: body({
      integration_id: means('ID of the integration, as listed by `GET /integrations`.', id()),
      platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
      http_status: means('HTTP status of the response. Null if there was none.', z.nullable(z.int())),
      duration_ms: means('Duration of the test in milliseconds.', count()),
      response_excerpt: means(
        'First 2,048 characters of a webhook’s response. Null without a response, and for a CMS.',
        z.nullable(z.string()),
      ),
      status: means('`ok`: the target accepted the test. `failed`: it did not.', z.enum(['ok', 'failed'])),
      error: means('Reason for the failure. Absent if the test succeeded.', z.optional(z.string())),
      message: message(),
      warning: means('Problem to check before you publish. Absent if there is none.', z.optional(z.string())),
    }),
  },
  disconnect: { 200: disconnected },
} satisfies AnswersOf<typeof integrationOperations>

const row = {
  key: means('Key of the integration, for `GET /integrations/connect` and the calls that connect it.', z.string()),
  name: means('Display name of the integration.', z.string()),
  category: means('Category of the integration.', z.enum(CATEGORIES)),
  connected: means(
    'True if the project has one or more connected accounts of this integration. Keys for keyword data apply to the whole account.',
    z.boolean(),
  ),
  accounts: means(
    'Connected accounts of this integration.',
    z.array(
      z.strictObject({
        account_id: means(
          'ID of the connection. Publishing target or Search Console: the `:id` of `GET /integrations/:id`. Social account: the ID in `GET /social/accounts`. Key: the name of its provider.',
          z.string(),
        ),
        account_name: means('Display name of the account.', z.string()),
      }),
    ),
  ),
  connect_url: means('URL of the page on which a signed-in person connects it.', z.string()),
}

/** Answers of the catalog operations. */
export const catalogAnswers = {
  catalog: {
    200: body({
      project_id: projectId(),
      integrations: means('All integrations that can be connected.', z.array(z.strictObject(row))),
      note: means('Parts that could not be checked. Absent if everything was checked.', z.optional(z.string())),
    }),
  },
  connect: {
    200: body({
      project_id: projectId(),
      ...row,
      steps: means('Steps to connect it, in order.', z.array(z.string())),
      note: means('Parts that could not be checked. Absent if everything was checked.', z.optional(z.string())),
    }),
  },
} satisfies AnswersOf<typeof catalogOperations>
