import type { Operation } from '../../src/platform/http/operation.ts'
import { noteMissing } from './missing.ts'

/** Words for parameters of paths, by the path up to them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '/projects/:id': 'ID of the project: `ID` in `GET /projects`.',
  '/articles/:id': 'ID of the article: `ID` in `GET /articles`.',
  '/articles/batches/:id': 'ID of the batch: `batch_id` in the response of `POST /articles/batch`.',
  '/articles/:id/revisions/:revision': 'Number of the version: `revision` in `GET /articles/:id/revisions`.',
  '/projects/:id/targets/:target_id': 'ID of the follower: `ID` in `GET /projects/:id/targets`.',
  '/integrations/:id': 'ID of the integration: `ID` in `GET /integrations`.',
  '/event-endpoints/:id': 'ID of the endpoint: `id` in `GET /event-endpoints`.',
  '/changes/:id': 'ID of the change set, as listed by `GET /projects/:id/changes`.',
  '/statements/:id': 'ID of the statement: `id` in `GET /statements`.',
  '/approvals/:id': 'ID of the approval, as listed by `GET /approvals`.',
  '/webhook-deliveries/:id': 'ID of the delivery: `id` in `GET /webhook-deliveries`.',
  '/screenshots/:screenshot_id': 'ID of the screenshot: `screenshot_id` in the response of `POST /screenshots`.',
  '/keys/:id': 'ID of the key: `key_id` in the response of `POST /keys`.',
  '/exports/:id': 'ID of the archive, from `POST /projects/:id/export`.',
  '/imports/:id': 'ID of the import, from `POST /projects/import`.',
  '/provider-keys/:provider': '`dataforseo` or `ahrefs`.',
  '/social/accounts/:account_id':
    'ID of a directly connected account: `acc_` and a number, as listed by `GET /social/accounts`.',
  '/social/posts/:post_id': 'ID of the post: `post_id` in `GET /social/posts`.',
  '/crowdwork/campaigns/:campaign_id':
    'Provider’s ID of the campaign: `CrowdworkCampaignID` in `GET /crowdwork/campaigns`.',
  '/crowdwork/slots/:slot_id': 'ID of the slot: `id` in `GET /crowdwork/campaigns/:campaign_id/slots`.',
  '/suggestions/:id': 'ID of the suggestion: `id` in `GET /suggestions`.',
}

/** Returns the meaning of a parameter in an operation's path. Notes a parameter without words as missing. */
export const parameterWord = (operation: Operation, name: string): string => {
  const upTo = operation.path.slice(0, operation.path.indexOf(`:${name}`) + name.length + 1)
  return PARAMETERS[upTo] ?? noteMissing(`scripts/docs/parameters.ts: the meaning of ${upTo}`)
}
