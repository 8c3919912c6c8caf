import type { Words } from './word.ts'

export const PUBLISHING_FIELDS: Readonly<Record<string, Words>> = {
  'projects.cms_site': {
    cms_url: 'URL of the WordPress site.',
    wordpress_url: 'Older name of `cms_url`.',
    integration_key:
      'Key of our WordPress plugin: `wpk_`, 40 hexadecimal digits and 8 check digits. With `cms_username`: an application password.',
    cms_username: ['User of the application password.', 'the key is a plugin key'],
    wp_username: 'Older name of `cms_username`.',
  },
  'integrations.list': {
    project_id: ['Returns only integrations of this project.', 'all projects of the account'],
  },
  'integrations.catalog': {
    project_id: 'ID of the project.',
    category: [
      'Returns only this category: `blog`, `social`, `ads`, `analytics`, `developer` or `lab`. Other values return no integrations.',
      'all categories',
    ],
  },
  'integrations.how_to_connect': {
    project_id: 'ID of the project.',
    integration: 'Key or name of the integration, as listed by `GET /integrations/catalog`. Case does not matter.',
  },
  'integrations.connect': {
    platform:
      'Platform to connect. Each platform has additional fields, listed below. See [Webhooks](webhooks.md) and [Connect a site](../guides/connect.md).',
    name: ['Display name of the integration.', 'the host of its URL'],
  },
  'integrations.update': {
    name: 'Display name of the integration.',
    access_token: 'New token for deliveries. Only for a webhook.',
    rotate_signing_secret:
      'True: creates a new signing secret for a webhook, returned once. For 24 hours, deliveries are signed with both secrets.',
  },
  'integrations.test': {
    sample: ['True: sends a sample article, which the target does not store.', '`false`, no article'],
  },
  'deliveries.list': {
    project_id: ['Returns only deliveries of this project.', 'all projects of the account'],
    article_id: ['Returns only deliveries of this article.', 'all'],
    status: ['Returns only deliveries with this status.', 'all'],
  },
  'deliveries.replay': {
    force: ['True: sends the content even if readers see newer content.', '`false`'],
  },
}
