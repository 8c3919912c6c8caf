import type { Words } from './word.ts'

/** Words for fields with the same meaning everywhere. */
export const SHARED: Words = {
  limit: ['rows in the answer; more than 200 is lowered to 200', '50'],
  offset: ['how many rows to leave out: `next_offset` of the answer before. Not together with `before_id`', '0'],
  before_id: [
    'go on below this row: `before_id` of the answer before. Costs the same however deep the list is',
    'from the newest',
  ],
  project_id: 'the project, as `GET /projects` lists it',
  account_id: ['the account of the network, as `GET /social/accounts` lists it', 'the only one that is connected'],
}

/** Words for parameters of paths, by the path up to them. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  '/projects/:id': 'the project: `ID` in `GET /projects`',
  '/articles/:id': 'the article: `ID` in `GET /articles`',
  '/articles/:id/revisions/:revision': 'the number of the version: `revision` in `GET /articles/:id/revisions`',
  '/integrations/:id': 'the integration: `ID` in `GET /integrations`',
  '/approvals/:id': 'the approval, as `GET /approvals` lists it',
  '/webhook-deliveries/:id': 'the delivery: `id` in `GET /webhook-deliveries`',
  '/screenshots/:screenshot_id': 'the `screenshot_id` that `POST /screenshots` answered',
  '/keys/:id': 'the key: `key_id` in the answer of `POST /keys`',
  '/exports/:id': 'the number of an archive, from `POST /projects/:id/export`',
  '/imports/:id': 'the number of an import, from `POST /projects/import`',
  '/provider-keys/:provider': '`dataforseo` or `ahrefs`',
  '/social/accounts/:account_id':
    'an account that was connected directly: `acc_` and a number, as `GET /social/accounts` lists it',
  '/social/posts/:post_id': 'the post: `post_id` in `GET /social/posts`',
  '/crowdwork/campaigns/:campaign_id':
    'the provider’s id of the campaign: `CrowdworkCampaignID` in `GET /crowdwork/campaigns`',
  '/crowdwork/slots/:slot_id': 'the slot: `id` in `GET /crowdwork/campaigns/:campaign_id/slots`',
  '/suggestions/:id': 'the suggestion: `id` in `GET /suggestions`',
}
