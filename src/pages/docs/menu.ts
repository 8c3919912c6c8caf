/** Document in the menu: its address below `/docs`, its file below `docs`, its title. */
export type Entry = { path: string; file: string; title: string }

type Part = { title: string; entries: readonly Entry[] }

/** Documents for one kind of reader. `path` leads to the first of them. */
export type Menu = { name: string; title: string; path: string; parts: readonly Part[] }

const entry = (path: string, title: string): Entry => ({ path, file: `${path}.md`, title })

/** Served documents by reader, in the order of the menus. */
export const MENUS: readonly Menu[] = [
  {
    name: 'owners',
    title: 'Sites',
    path: 'index',
    parts: [
      { title: 'Start', entries: [entry('index', 'Overview'), entry('first-article', 'Your first article')] },
      {
        title: 'Pages of a site',
        entries: [
          entry('owners/overview', 'Sites and their overview'),
          entry('owners/calendar', 'Calendar'),
          entry('owners/articles', 'Articles'),
          entry('owners/approvals', 'Approvals'),
          entry('owners/social', 'Social posts'),
          entry('owners/suggestions', 'Suggestions'),
          entry('owners/search', 'Search'),
          entry('owners/visibility', 'AI visibility'),
          entry('owners/deliveries', 'Deliveries'),
          entry('owners/policy', 'Policy'),
          entry('owners/site-settings', 'Site settings'),
          entry('owners/reviews', 'Reviews'),
          entry('owners/backlinks', 'Backlinks'),
          entry('owners/crowdwork', 'Crowdwork'),
        ],
      },
      {
        title: 'Pages of the account',
        entries: [
          entry('owners/account', 'Account and sign-in'),
          entry('owners/access', 'Keys and applications'),
          entry('owners/people', 'People'),
          entry('owners/connections', 'Connections'),
          entry('owners/plan', 'Plan'),
          entry('owners/data', 'Log, undo, export and deletion'),
        ],
      },
      {
        title: 'Connect a site',
        entries: [
          entry('guides/connect', 'Connect a site'),
          entry('reference/platforms', 'What each platform can do'),
          entry('guides/wordpress', 'Connect WordPress'),
          entry('guides/ghost', 'Connect Ghost'),
          entry('guides/directus', 'Connect Directus'),
          entry('guides/strapi', 'Connect Strapi'),
          entry('guides/webflow', 'Connect Webflow'),
          entry('guides/shopify', 'Connect Shopify'),
          entry('guides/wix', 'Connect Wix'),
          entry('guides/notion', 'Connect Notion'),
          entry('guides/framer', 'Connect Framer'),
          entry('guides/gohighlevel', 'Connect GoHighLevel'),
          entry('guides/git', 'Connect a Git repository'),
          entry('guides/move-here', 'Move here from another tool'),
        ],
      },
      {
        title: 'Help',
        entries: [
          entry('help/troubleshooting', 'Troubleshooting'),
          entry('help/questions', 'Questions'),
          entry('help/glossary', 'Glossary'),
          entry('help/prices', 'Prices'),
          entry('help/security', 'Security'),
          entry('help/changelog', 'Changelog'),
          entry('help/status', 'Status and outages'),
          entry('license', 'License'),
        ],
      },
    ],
  },
  {
    name: 'developers',
    title: 'Developers',
    path: 'quickstart',
    parts: [
      {
        title: 'Start',
        entries: [
          entry('quickstart', 'Quickstart'),
          entry('clients', 'Connect your client'),
          entry('command-line', 'Command line (CLI) and TypeScript'),
          entry('guides/receiver', 'Build a webhook receiver'),
          entry('guides/events', 'Receive events'),
        ],
      },
      {
        title: 'How it works',
        entries: [
          entry('how/articles', 'How an article moves'),
          entry('how/control', 'What a person decides'),
          entry('how/accounts', 'Accounts, people, keys and credits'),
          entry('how/search', 'Keywords and search performance'),
          entry('how/suggestions', 'Suggestions'),
          entry('how/ai-visibility', 'AI visibility'),
          entry('how/media', 'Images and screenshots'),
          entry('how/social', 'Social posts'),
          entry('how/crowdwork', 'Crowdwork and outreach'),
          entry('how/adopted', 'Posts that a site already has'),
          entry('how/changes', 'Sets of changes'),
          entry('how/moving', 'A site that moves'),
          entry('how/translations', 'Articles in several languages'),
          entry('how/statements', 'Statements'),
          entry('how/signed-receipts', 'Signed receipts'),
        ],
      },
      {
        title: 'Guides',
        entries: [
          entry('guides/plan-a-month', 'Plan and schedule a month'),
          entry('guides/old-posts', 'Look after old posts'),
          entry('guides/take-back', 'Undo, unpublish, roll back'),
        ],
      },
      {
        title: 'API',
        entries: [
          entry('http/authentication', 'Authentication and API keys'),
          entry('reference/errors', 'Errors'),
          entry('http/retries', 'Retries and idempotency'),
          entry('http/lists', 'Lists and pagination'),
          entry('http/dates', 'Dates and times'),
          entry('http/limits', 'Limits'),
          entry('http/versions', 'Versions'),
          entry('http/mcp', 'The MCP server'),
          entry('reference/webhooks', 'Webhooks'),
          entry('http/archives', 'Archives of projects'),
        ],
      },
      {
        title: 'Reference',
        entries: [
          entry('reference/operations', 'All operations'),
          entry('reference/operations-projects', 'Projects and the account'),
          entry('reference/operations-articles', 'Articles'),
          entry('reference/operations-editing', 'Changing articles'),
          entry('reference/operations-publishing', 'Publishing and deliveries'),
          entry('reference/operations-integrations', 'Integrations'),
          entry('reference/operations-research', 'Research and backlinks'),
          entry('reference/operations-media', 'Images, videos and screenshots'),
          entry('reference/operations-insights', 'AI visibility and search performance'),
          entry('reference/operations-suggestions', 'Suggestions'),
          entry('reference/operations-reach', 'Crowdwork and outreach'),
          entry('reference/operations-social', 'Social posts and business profile'),
        ],
      },
    ],
  },
  {
    name: 'operators',
    title: 'Operators',
    path: 'operations/local',
    parts: [
      {
        title: 'Running it yourself',
        entries: [
          entry('operations/local', 'On your machine'),
          entry('operations/own-machine', 'On a machine of your own'),
          entry('operations/deploy', 'Deploying and rolling back'),
          entry('operations/providers', 'Providers'),
          entry('operations/admin', 'Accounts and keys by command'),
          entry('operations/costs', 'What it costs'),
          entry('operations/runbook', 'Runbook'),
          entry('operations/backup', 'Backup and restore'),
          entry('operations/secrets', 'Rotating secrets'),
          entry('operations/address', 'Moving to another address'),
        ],
      },
    ],
  },
]

/** All served documents. */
export const ENTRIES: readonly Entry[] = MENUS.flatMap(({ parts }) => parts.flatMap(({ entries }) => entries))

/** Returns the document at an address below `/docs`; undefined if none has it. */
export const entryAt = (path: string): Entry | undefined => ENTRIES.find((one) => one.path === path)

/** Returns the menu that has a document; the first menu if none has. */
export const menuOf = (path: string): Menu =>
  (MENUS.find(({ parts }) => parts.some(({ entries }) => entries.some((one) => one.path === path))) ?? MENUS[0]) as Menu

/** Returns the documents before and after one in its menu. */
export const neighboursOf = (path: string): { before: Entry | undefined; after: Entry | undefined } => {
  const entries = menuOf(path).parts.flatMap((part) => part.entries)
  const at = entries.findIndex((one) => one.path === path)
  return { before: entries[at - 1], after: at < 0 ? undefined : entries[at + 1] }
}
