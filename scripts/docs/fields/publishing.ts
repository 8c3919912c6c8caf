import type { Words } from './word.ts'

export const PUBLISHING_FIELDS: Readonly<Record<string, Words>> = {
  'projects.cms_site': {
    cms_url: 'address of the WordPress site',
    wordpress_url: 'older name of `cms_url`',
    integration_key:
      'the key of our WordPress plugin (`wpk_`, 40 hexadecimal digits and 8 that check them), or with `cms_username` an application password',
    cms_username: ['the user whose application password it is', 'the key is the plugin’s'],
    wp_username: 'older name of `cms_username`',
  },
  'integrations.list': { project_id: ['only this project’s', 'all projects of the account'] },
  'integrations.catalog': {
    project_id: 'the project',
    category: [
      'only this kind: `blog`, `social`, `ads`, `analytics`, `developer` or `lab`; another word finds nothing',
      'all kinds',
    ],
  },
  'integrations.how_to_connect': {
    project_id: 'the project',
    integration: 'the key or the name of one, as `GET /integrations/catalog` has it, in any case',
  },
  'integrations.connect': {
    platform:
      'what to connect. Each has fields of its own beside these, listed below. More: [Webhooks](webhooks.md), [Publishing to each CMS](../design/cms.md)',
    name: ['what lists call it', 'the host of its address'],
  },
  'integrations.update': {
    name: 'what lists call it',
    access_token: 'the new token that deliveries carry; for a webhook',
    rotate_signing_secret:
      'makes a new signing secret for a webhook, shown once; for 24 hours deliveries are signed with both',
  },
  'integrations.test': { sample: ['sends a sample article, which the target stores nowhere', '`false`: no article'] },
  'deliveries.list': {
    project_id: ['only this project’s', 'all projects of the account'],
    article_id: ['only this article’s', 'all'],
    status: ['only this state', 'all'],
  },
  'deliveries.replay': { force: ['sends content that is older than what readers see, too', '`false`'] },
}
