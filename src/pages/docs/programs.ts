import { OAUTH } from '../../accounts/oauth/paths.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../../mcp/protected-resource.ts'
import { VERSION } from '../../platform/lib/version.generated.ts'
import type { Library, Listed } from './library.ts'
import { ENTRIES, MENUS } from './menu.ts'

/** Name and address of the service, for texts that programs read. */
export type About = { service: string; base: string }

/** Returns the calls from an API key to a published article, ready to run. */
const firstCalls = (base: string): string => `\`\`\`sh
B=${base}/api/v1
K=gly_live_…            # a person makes it at ${base}${PATHS.keys}

# 1. What the account has, and what it may do
curl -sS $B/account -H "Authorization: Bearer $K"
# 2. The projects, one a website. "ID" is the project_id of all other calls
curl -sS $B/projects -H "Authorization: Bearer $K"
# 3. A project, if there is none: answers 201 with project_id (200 if the website has one)
curl -sS $B/projects -H "Authorization: Bearer $K" -H 'Content-Type: application/json' -d '{"website_url": "https://shop.example", "business_name": "Shop"}'
# 4. Where to publish: a CMS, or a webhook receiver of your own (/docs/reference/webhooks)
curl -sS $B/projects/PROJECT_ID/integrations -H "Authorization: Bearer $K" -H 'Content-Type: application/json' -d '{"platform": "webhook", "url": "https://shop.example/hook", "access_token": "a-token-of-your-choice"}'
# 5. What to write like: name, audience, language, instructions
curl -sS "$B/business-context?project_id=PROJECT_ID" -H "Authorization: Bearer $K"
# 6. What to write about: volume and difficulty of keywords
curl -sS $B/keywords/search -H "Authorization: Bearer $K" -H 'Content-Type: application/json' -d '{"keyword": "garden shed", "project_id": PROJECT_ID}'
# 7. Pages of the site to link to
curl -sS "$B/internal-links?project_id=PROJECT_ID&keyword=garden+shed" -H "Authorization: Bearer $K"
# 8. The article: answers 201 with article_id and an SEO report that says what to improve
curl -sS $B/articles -H "Authorization: Bearer $K" -H 'Content-Type: application/json' -H "Idempotency-Key: garden-shed-1" -d '{"project_id": PROJECT_ID, "keyword": "garden shed", "title": "How to choose a garden shed", "content": "<h2>Size</h2><p>…</p>"}'
# 9. Publish now: 200 is published; 202 is not yet, its body says why and what happens next
curl -sS -X POST $B/articles/ARTICLE_ID/publish -H "Authorization: Bearer $K"
# 10. The article with its address, and within a minute a Receipt: what the live page shows
curl -sS $B/articles/ARTICLE_ID -H "Authorization: Bearer $K"
\`\`\``

const RULES = `- A body is JSON with \`Content-Type: application/json\`. Ids are integers.
- Errors are \`{error, code, retryable, request_id, docs_url}\`, on bad input with \`details: [{field, message, allowed}]\`, and with \`next_calls\` where another call helps. Branch on \`code\`.
- Repeat a call only where \`retryable\` is true, after \`retry_after\` seconds. Any POST may carry an \`Idempotency-Key\`, which makes the repeat safe.
- Where \`instructions_for_agent\` is present, show it to the person and stop that step.
- A time without an offset is wall time in the project's time zone.`

const byGroup = (operations: readonly Listed[]): Map<string, Listed[]> => Map.groupBy(operations, ({ group }) => group)

/** Characters of English and JSON for each token, about. */
const CHARACTERS_A_TOKEN = 3.5

/** Returns the size of a text in words: `292,000 tokens`. */
const sizeOf = (characters: number): string =>
  `${(Math.ceil(characters / CHARACTERS_A_TOKEN / 1_000) * 1_000).toLocaleString('en')} tokens`

/** Returns the documents for `llms-full.txt`, without those on running the service yourself. */
const documentsIn = async (library: Library): Promise<string[]> => {
  const documents = MENUS.filter(({ name }) => name !== 'operators').flatMap(({ parts }) =>
    parts.flatMap(({ entries }) => entries),
  )
  return await Promise.all(documents.map(async (entry) => library.forPrograms(await library.markdown(entry), entry)))
}

/** Returns `llms.txt`, for agents that have only the address (https://llmstxt.org). */
export const llmsText = async (library: Library, { service, base }: About): Promise<string> => {
  const groups = [...byGroup(await library.operations())].map(
    ([group, operations]) =>
      `### ${group}\n\n${operations.map(({ id, method, path, summary }) => `- [${method} ${path}](${base}/docs/api/${id}.md): ${summary}`).join('\n')}`,
  )
  const documents = MENUS.flatMap((menu) =>
    menu.parts
      .filter(({ title }) => title !== 'Reference')
      .map(
        ({ title, entries }) =>
          `### ${menu.title}: ${title}\n\n${entries.map((one) => `- [${one.title}](${base}/docs/${one.path}.md)`).join('\n')}`,
      ),
  )
  const { whole, groups: parts } = await library.openApiSizes()
  const full = (await documentsIn(library)).join('').length
  const ofGroups = parts.map(([name, size]) => `[${name}](${base}/openapi/${name}.json) (${sizeOf(size)})`)
  return `# ${service}

> Publishes articles for agents and scripts: plans, checks, schedules and delivers them to a customer’s website exactly once, and measures what comes of it.

The HTTP API is below ${base}/api/v1. Every call carries \`Authorization: Bearer KEY\`. A person makes the key at ${base}${PATHS.keys}, or lets an MCP client in by OAuth.

## The ten calls that matter

${firstCalls(base)}

## What holds for every call

${RULES}

## For programs

- [OpenAPI 3.1 description](${base}/openapi.json) (${sizeOf(whole)}): every operation with its fields, answers, errors and examples
- The same for one group: ${ofGroups.join(', ')}
- [Index of the API](${base}/api/v1): operations by group as JSON, with scope, rate and cost
- [All documents in one text](${base}/llms-full.txt) (${sizeOf(full)})
- [MCP server](${base}${MCP_PATH}): streamable HTTP; lets clients in by OAuth 2.1, or takes an API key
- [Metadata of the MCP server](${base}${RESOURCE_METADATA_PATH}${MCP_PATH}) and of its [authorization server](${base}${OAUTH.metadata})
- [Entry for MCP registries](${base}/server.json)
- [Health](${base}/healthz)

## For people

- [Create an account](${base}${PATHS.signUp})
- [Sign in](${base}${PATHS.signIn}): keys, connected applications, sites, plan
- [Documents](${base}/docs)

## Documents

${documents.join('\n\n')}

## Operations

${groups.join('\n\n')}
`
}

/** Returns the documents in one text, without those on running the service yourself. */
export const llmsFullText = async (library: Library, about: About): Promise<string> => {
  return [await llmsText(library, about), ...(await documentsIn(library))].join('\n\n---\n\n')
}

/** Returns the index of the API: its operations by group, and links to its documents. */
export const apiIndex = async (library: Library, { service, base }: About): Promise<unknown> => ({
  service,
  base_url: `${base}/api/v1`,
  authentication: `Authorization: Bearer <API key>. A person makes a key at ${base}${PATHS.keys}.`,
  links: {
    openapi: `${base}/openapi.json`,
    docs: `${base}/docs`,
    errors: `${base}/docs/reference/errors`,
    llms: `${base}/llms.txt`,
    mcp: `${base}${MCP_PATH}`,
    health: `${base}/healthz`,
  },
  groups: [...byGroup(await library.operations())].map(([title, operations]) => ({
    title,
    operations: operations.map(({ id, method, path, summary, scope, perMinute, cost }) => ({
      id,
      method,
      path,
      summary,
      scope,
      per_minute: perMinute,
      cost,
      docs_url: `${base}/docs/api/${id}`,
    })),
  })),
})

/** Form of `server.json` (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json). */
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * Returns `server.json`, with which an operator enters the MCP server into a registry.
 *
 * Its name is the service's host in reverse, whose DNS proves the operator. A registry has each version once.
 */
export const registryEntry = ({ service, base }: About): unknown => ({
  $schema: SERVER_SCHEMA,
  name: `${new URL(base).hostname.split('.').toReversed().join('.')}/${service.toLowerCase()}`,
  title: service,
  description: 'Publishes articles to a website once, checks the live pages, and measures search and AI visibility.',
  version: VERSION,
  websiteUrl: base,
  // Registries take icons by https only.
  ...(base.startsWith('https:')
    ? { icons: [{ src: `${base}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }] }
    : {}),
  remotes: [
    {
      type: 'streamable-http',
      url: `${base}${MCP_PATH}`,
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer and an API key. Without it, clients sign in by OAuth.',
          placeholder: 'Bearer gly_live_…',
          isRequired: false,
          isSecret: true,
        },
      ],
    },
  ],
})

/** Returns the sitemap for search engines. Source: https://www.sitemaps.org/protocol.html */
export const sitemap = ({ base }: About): string => {
  const paths = ['/', '/docs', ...ENTRIES.map(({ path }) => `/docs/${path}`)]
  const urls = paths.map((path) => `<url><loc>${base}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

/** Returns the API catalog as a linkset. Source: https://www.rfc-editor.org/rfc/rfc9727 */
export const apiCatalog = ({ base }: About): unknown => ({
  linkset: [
    {
      anchor: `${base}/api/v1`,
      'service-desc': [{ href: `${base}/openapi.json`, type: 'application/openapi+json' }],
      'service-doc': [
        { href: `${base}/docs`, type: 'text/html' },
        { href: `${base}/llms.txt`, type: 'text/plain' },
      ],
      status: [{ href: `${base}/healthz`, type: 'application/json' }],
    },
  ],
})
