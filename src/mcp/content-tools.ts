import type { ToolSpec } from './tool-spec.ts'

const ARTICLE = { id: 'article_id' }

/** Tools for articles. */
export const CONTENT_TOOLS: readonly ToolSpec[] = [
  {
    name: 'list_articles',
    description: 'Lists articles, newest first, without their content. q searches title and keyword.',
    effect: 'reads',
    calls: 'GET /articles',
    without: ['offset'],
    lists: ['status', 'publish_state'],
  },
  {
    name: 'get_article',
    description: 'Returns an article with its content (HTML), SEO report and publishing state.',
    effect: 'reads',
    calls: 'GET /articles/:id',
    ids: ARTICLE,
    longText: 'Content',
  },
  {
    name: 'get_article_brief',
    description: 'Returns the requirements for writing a planned article, and until when you can claim it.',
    effect: 'reads',
    calls: 'GET /articles/:id/brief',
    ids: ARTICLE,
  },
  {
    name: 'get_business_context',
    description: 'Returns what a writer needs to know about the business.',
    effect: 'reads',
    calls: 'GET /business-context',
  },
  {
    name: 'get_internal_links',
    description: 'Lists pages of the site to link to, most related first.',
    effect: 'reads',
    calls: 'GET /internal-links',
  },
  {
    name: 'get_backlink_targets',
    description: 'Lists up to 5 partners’ pages to link to for a keyword. Each link earns a backlink credit.',
    effect: 'reads',
    calls: 'GET /backlink-targets',
  },
  {
    name: 'create_article',
    description:
      'Creates an article as Draft, or as Planned for a date. Publishes nothing now. The service’s writer rewrites Planned content under 2,000 characters.',
    effect: 'adds',
    calls: 'POST /articles',
    without: ['published_at'],
    notes: {
      content: 'HTML fragment without h1',
      scheduled_date: 'ISO 8601; without offset: project’s time zone',
      external_ref: 'your own id: a known one returns its article',
    },
  },
  {
    name: 'update_article',
    description:
      'Changes the fields that you send of a Draft or Planned article; "" clears a text, [] a list. sync: true also changes a published one and its post.',
    effect: 'changes',
    calls: 'PUT /articles/:id',
    ids: ARTICLE,
    without: ['content_format', 'published_at'],
    notes: {
      content: 'HTML fragment without h1',
      scheduled_date: 'ISO 8601; "" clears the date',
      if_revision: 'only if it has this Revision',
    },
  },
  {
    name: 'publish_article',
    description:
      'Publishes an article on the connected site, once; it is then public. Ask the user first. Status retrying: the service tries again.',
    effect: 'adds',
    reachesOut: true,
    calls: 'POST /articles/:id/publish',
    ids: ARTICLE,
    doing: 'Publishing on the site',
  },
  {
    name: 'sync_article',
    description: 'Saves edits of a published article and updates its post once; "" clears a text, [] a list.',
    effect: 'changes',
    reachesOut: true,
    calls: 'POST /articles/:id/sync',
    ids: ARTICLE,
    without: ['content_format'],
    doing: 'Sending the edits to the site',
  },
  {
    name: 'generate_article',
    description:
      'Starts the service’s writer on an article from your notes (source_content). Costs 1 article credit: ask the user first. Poll get_article while Status is Generating.',
    effect: 'adds',
    calls: 'POST /articles/generate',
    doing: 'Sending the notes to the writer',
    follow: {
      call: 'GET /articles/:id',
      id: ['article_id'],
      status: ['Status'],
      going: ['Generating'],
      progress: ['Progress'],
    },
  },
]
