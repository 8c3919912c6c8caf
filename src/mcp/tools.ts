/** Effect of a tool on stored data, as a hint for clients. */
type Effect = 'reads' | 'adds' | 'changes'

/** Source of progress for work that continues after a call was answered. */
export type Follow = {
  /** Operation that shows the progress, by method and path with `:id`. */
  call: string
  /** Path of the id in the call's answer. */
  id: readonly string[]
  /** Path of the status in the operation's answer, and the statuses of running work. */
  status: readonly string[]
  going: readonly string[]
  /** Path of the progress in the operation's answer: label and percent. */
  progress: readonly string[]
  /** Values of `action` that start such work; absent if all do. */
  actions?: readonly string[]
}

/** MCP tool for one or more operations of the API. */
export type ToolSpec = {
  name: string
  description: string
  effect: Effect
  /** True if the call reaches the public or another service, such as publishing. */
  reachesOut?: boolean
  /** Operation by method and path; or several, by value of the argument `action`. */
  calls: string | Readonly<Record<string, string>>
  /** Argument names of the operation's path parameters. */
  ids?: Readonly<Record<string, string>>
  /** Fields that the tool does not show, such as older names. The operation still accepts them. */
  without?: readonly string[]
  /** The only fields that the tool shows, if another tool sets the rest. */
  only?: readonly string[]
  /** Arguments that accept several values at once. */
  lists?: readonly string[]
  /** Arguments that the tool requires although the operation has an alternative. */
  needs?: readonly string[]
  /** Descriptions of arguments whose names do not explain them. */
  notes?: Readonly<Record<string, string>>
  /** Progress message of a call that may take long. */
  doing?: string
  follow?: Follow
  /** Field left out of each row, because it is long and another tool reads it. */
  leavesOut?: string
  /** Field with long text, which the argument `content_offset` continues. */
  longText?: string
}

const PROJECT = { id: 'project_id' }
const ARTICLE = { id: 'article_id' }
const OLDER_NAMES = [
  'internal_links',
  'extra_banned_phrases',
  'duplicate_content_guard_enabled',
  'competitor_websites',
  'wordpress_url',
]

/**
 * Tools of the hosted MCP server. A tool is left out if one of its operations does not exist.
 *
 * No tool deletes projects, articles or reviews.
 */
export const TOOLS: readonly ToolSpec[] = [
  {
    name: 'list_projects',
    description:
      'Lists the active projects (one per website), newest first. Start here: other tools take a project_id.',
    effect: 'reads',
    calls: 'GET /projects',
  },
  {
    name: 'get_project',
    description: 'Returns a project with all its settings and article plans.',
    effect: 'reads',
    calls: 'GET /projects/:id',
    ids: PROJECT,
  },
  {
    name: 'create_project',
    description:
      'Creates a project for a website. Uses a paid project slot; without a free one it fails with project_limit_reached. Starts no keyword research and spends no credits. Change other settings with update_project.',
    effect: 'adds',
    calls: 'POST /projects',
    only: [
      'website_url',
      'business_name',
      'business_description',
      'target_audience',
      'competitors',
      'ai_instructions',
      'tone',
    ],
  },
  {
    name: 'update_project',
    description:
      'Changes the settings that you send; "" clears a text, [] a list. Cannot change the plan, or delete or archive a project.',
    effect: 'changes',
    calls: 'PUT /projects/:id',
    ids: PROJECT,
    without: OLDER_NAMES,
  },
  {
    name: 'list_articles',
    description: 'Lists articles, newest first, without their content. q searches title and keyword.',
    effect: 'reads',
    calls: 'GET /articles',
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
    description:
      'Returns the requirements for writing a planned article: keyword, required links, rules of the project, and the time until which you can claim it.',
    effect: 'reads',
    calls: 'GET /articles/:id/brief',
    ids: ARTICLE,
  },
  {
    name: 'get_business_context',
    description:
      'Returns what a writer needs to know about the business: description, audience, language, competitors, instructions.',
    effect: 'reads',
    calls: 'GET /business-context',
  },
  {
    name: 'get_internal_links',
    description: 'Lists up to 20 pages of the project’s own site to link to, most related to the keyword first.',
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
      'Creates an article as Draft, or as Planned for a date. Publishes nothing. Content of 2,000 characters or more is published unchanged. On plans with a writer, the service writes a Planned article with shorter content.',
    effect: 'adds',
    calls: 'POST /articles',
    notes: { content: 'HTML fragment without h1', scheduled_date: 'ISO 8601; without offset: project’s time zone' },
  },
  {
    name: 'update_article',
    description:
      'Changes the fields that you send of a Draft or Planned article; "" clears a text, [] a list. The previous version is kept. Change a published article with sync_article.',
    effect: 'changes',
    calls: 'PUT /articles/:id',
    ids: ARTICLE,
    without: ['sync'],
    notes: { content: 'HTML fragment without h1', scheduled_date: 'ISO 8601; "" clears the date' },
  },
  {
    name: 'publish_article',
    description:
      'Publishes an article on the connected site, once; it is then public. Ask the user first. A failed attempt returns the status retrying or failed with the reason. With retrying, the service tries again automatically.',
    effect: 'adds',
    reachesOut: true,
    calls: 'POST /articles/:id/publish',
    ids: ARTICLE,
    doing: 'Publishing on the site',
  },
  {
    name: 'sync_article',
    description:
      'Saves edits of a published article and sends them to the site once, as an update of the same post; "" clears a text, [] a list. Cannot change its URL.',
    effect: 'changes',
    reachesOut: true,
    calls: 'POST /articles/:id/sync',
    ids: ARTICLE,
    doing: 'Sending the edits to the site',
  },
  {
    name: 'generate_article',
    description:
      'Starts the service’s writer on an article from your notes (source_content). Costs 1 article credit: ask the user first. Takes minutes: poll get_article until Status is no longer Generating.',
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
  {
    name: 'keyword_research',
    description: 'Returns keywords with monthly searches and difficulty: your keyword first, then related ones.',
    effect: 'adds',
    reachesOut: true,
    calls: 'POST /keywords/search',
    doing: 'Researching keywords',
  },
  {
    name: 'backlinks_status',
    description: 'Returns the project’s state in the backlink exchange: credits, given, received and pending links.',
    effect: 'reads',
    calls: 'GET /backlinks/status',
  },
  {
    name: 'list_backlinks',
    description: 'Lists links that the project received: on live pages (earned), and not live yet (scheduled).',
    effect: 'reads',
    calls: 'GET /backlinks',
  },
  {
    name: 'search_console_performance',
    description:
      'Returns the search performance of a project from Google Search Console: totals, top queries and pages. Not web analytics.',
    effect: 'reads',
    calls: 'GET /search-console',
  },
  {
    name: 'ai_visibility_report',
    description: 'Returns how often AI answers cite or mention the business, by engine. Starts no scan.',
    effect: 'reads',
    calls: 'GET /ai-visibility',
  },
  {
    name: 'list_suggestions',
    description:
      'Lists suggestions to improve published articles, with counts by status. Read the proposed change with act_on_suggestion.',
    effect: 'reads',
    calls: 'GET /suggestions',
    lists: ['status', 'type'],
    leavesOut: 'proposed_diff',
  },
  {
    name: 'run_suggestions',
    description: 'Analyzes the search data now and adds new pending suggestions. Changes no article.',
    effect: 'adds',
    calls: 'POST /suggestions/run',
    doing: 'Analyzing the search data',
  },
  {
    name: 'act_on_suggestion',
    description:
      'Acts on a suggestion: approve starts the rewrite; get and diff read it, poll until status is ready; publish puts the ready rewrite live (ask the user first); reject; regenerate with feedback.',
    effect: 'changes',
    reachesOut: true,
    calls: {
      get: 'GET /suggestions/:id',
      diff: 'GET /suggestions/:id/diff',
      approve: 'POST /suggestions/:id/approve',
      reject: 'POST /suggestions/:id/reject',
      publish: 'POST /suggestions/:id/publish',
      regenerate: 'POST /suggestions/:id/regenerate',
    },
    ids: { id: 'suggestion_id' },
    doing: 'Working on the suggestion',
    follow: {
      call: 'GET /suggestions/:id',
      id: ['suggestion', 'id'],
      status: ['suggestion', 'status'],
      going: ['approved', 'rewriting'],
      progress: ['suggestion', 'progress'],
      actions: ['approve', 'regenerate'],
    },
  },
  {
    name: 'list_integrations',
    description:
      'Lists the connected publishing targets and other integrations. The user or the API connects them; no tool does.',
    effect: 'reads',
    calls: 'GET /integrations',
  },
  {
    name: 'profile_status',
    description: 'Returns whether a Google Business Profile is connected, and its rating.',
    effect: 'reads',
    calls: 'GET /profile/status',
  },
  {
    name: 'profile_reviews',
    description: 'Lists reviews of the Google Business Profile.',
    effect: 'reads',
    calls: 'GET /profile/reviews',
  },
  {
    name: 'profile_reply_review',
    description:
      'Posts a public reply to a review in the business’s name. Ask the user first. Cannot delete reviews or replies.',
    effect: 'changes',
    reachesOut: true,
    calls: 'POST /profile/reviews/reply',
    doing: 'Posting the reply',
  },
  {
    name: 'list_social_accounts',
    description: 'Lists the social accounts that are connected to a project.',
    effect: 'reads',
    calls: 'GET /social/accounts',
  },
  {
    name: 'upload_social_media',
    description:
      'Copies an image or video from a public URL (media_url) for a post. Send the returned media in media_files. Does not accept file uploads.',
    effect: 'adds',
    reachesOut: true,
    calls: 'POST /social/media',
    without: ['file'],
    needs: ['media_url'],
    doing: 'Fetching the file',
  },
  {
    name: 'publish_social_post',
    description: 'Posts to connected social accounts now, or at scheduled_for. The post is public: ask the user first.',
    effect: 'adds',
    reachesOut: true,
    calls: 'POST /social/publish',
    doing: 'Posting',
  },
  {
    name: 'get_social_post',
    description: 'Returns a social post with its status and URL.',
    effect: 'reads',
    calls: 'GET /social/posts/:post_id',
  },
  {
    name: 'list_social_posts',
    description: 'Lists social posts of a project, newest first.',
    effect: 'reads',
    calls: 'GET /social/posts',
    lists: ['status'],
  },
  {
    name: 'configure_social_post_auto_reply',
    description: 'Sets or turns off the automatic reply to comments on a post.',
    effect: 'changes',
    reachesOut: true,
    calls: 'PUT /social/posts/:post_id/comment-for-guide',
  },
]
