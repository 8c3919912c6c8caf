import { MCP_PATH, RESOURCE_METADATA_PATH } from '../../src/mcp/protected-resource.ts'
import { OAUTH } from '../../src/oauth/paths.ts'
import { PATHS } from '../../src/people/paths.ts'

/** For crawlers (RFC 9309): the API is nothing to crawl. */
export const ROBOTS = 'User-agent: *\nDisallow: /api/\n'

/** For agents that come to the address without knowing it (https://llmstxt.org): what is here and how to begin. */
export const llmsText = (service: string, publicUrl: string): string => `# ${service}

> Publishes articles for agents and scripts: plans, checks, schedules and delivers them to a customer’s website exactly once, and measures what comes of it.

Agents work by MCP tools or over HTTP. A person signs in and lets the agent in, or makes an API key; both lead to the same account.

## For agents

- [MCP server](${publicUrl}${MCP_PATH}): streamable HTTP; lets clients in by OAuth 2.1 or takes an API key
- [What the MCP server asks for](${publicUrl}${RESOURCE_METADATA_PATH}${MCP_PATH}): protected-resource metadata
- [How clients are let in](${publicUrl}${OAUTH.metadata}): authorization-server metadata
- [Health](${publicUrl}/healthz): whether the service answers; the HTTP API is below ${publicUrl}/api/v1

## For people

- [Create an account](${publicUrl}${PATHS.signUp}): by mail, with or without a password
- [Sign in](${publicUrl}${PATHS.signIn}): keys, connected applications, sites, plan
- [About keyword data](${publicUrl}${PATHS.keywordHelp}): where volumes and difficulties come from
`
