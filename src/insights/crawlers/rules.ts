import { isAllowed, parseRobots } from '../../content/site/robots.ts'

/** Origin of the rule that decides: a group that names the agent, the group of everyone, or none. */
export const RULE_SOURCES = ['agent', 'everyone', 'none'] as const

/** Rule of a robots.txt for an agent and an address. */
export type Ruling = { allowed: boolean; rule_for: (typeof RULE_SOURCES)[number]; by_cloudflare: boolean }

/** Block that Cloudflare puts before the site's own rules, if its owner lets it manage them. */
const MANAGED = /^#\s*BEGIN Cloudflare Managed content.*?^#\s*END Cloudflare Managed content/imsu

const names = (text: string, token: string): boolean =>
  text.split(/\r\n|\r|\n/).some((line) => {
    const [, agent = ''] = /^\s*user-agent\s*:\s*(\*|[A-Za-z0-9_-]+)/i.exec(line.slice(0, 200)) ?? []
    return agent.toLowerCase() === token.toLowerCase()
  })

/** Returns what a robots.txt says to an agent about an address (RFC 9309). */
export const rulingOf = (text: string, token: string, url: URL): Ruling => {
  const allowed = isAllowed(parseRobots(text, token).rules, url)
  const source = names(text, token) ? 'agent' : names(text, '*') ? 'everyone' : 'none'
  const managed = MANAGED.exec(text)?.[0] ?? ''
  return {
    allowed,
    rule_for: source,
    by_cloudflare: !allowed && names(managed, source === 'agent' ? token : '*'),
  }
}

/** Google's words for a request that a wall refused. */
const REFUSED = ['ACCESS_DENIED', 'ACCESS_FORBIDDEN', 'BLOCKED_4XX']

/** Returns what Google's last request for a page met; null if that is not known. */
export const wallOf = (fetch: string | null): 'open' | 'blocked' | null => {
  if (fetch === 'SUCCESSFUL') return 'open'
  return fetch !== null && REFUSED.includes(fetch) ? 'blocked' : null
}
