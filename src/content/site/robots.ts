/** Rule of a robots.txt, with its path in comparable form. */
export type RobotsRule = { allow: boolean; path: string }

/** Rules of a robots.txt for one crawler. */
export type Robots = { rules: RobotsRule[]; sitemaps: string[]; crawlDelayS: number | null }

/** Rules of a site without a robots.txt: everything is allowed. */
export const NO_ROBOTS: Robots = { rules: [], sitemaps: [], crawlDelayS: null }

const MAX_LINE = 2_000
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * Normalizes percent-encoding for comparison. Decodes unreserved characters, and writes the others as upper-case `%XX` (RFC
 * 9309 §2.2.2).
 */
const comparable = (path: string): string =>
  path
    .toWellFormed()
    .replace(/[^\u0020-\u007e]+/g, (text) => encodeURIComponent(text))
    .replace(/%([0-9a-f]{2})/gi, (whole, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return UNRESERVED.test(character) ? character : whole.toUpperCase()
    })

type Line = { key: string; value: string }

const linesOf = (text: string): Line[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => {
      const match = /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line.slice(0, MAX_LINE).replace(/#.*/, ''))
      return match ? [{ key: (match[1] ?? '').toLowerCase(), value: match[2] ?? '' }] : []
    })

type Group = { agents: string[]; rules: RobotsRule[]; crawlDelayS: number | null }

const delayOf = (value: string): number | null => {
  const seconds = Number(value)
  return value !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

const ruleOf = ({ key, value }: Line): RobotsRule[] =>
  value === '' ? [] : [{ allow: key === 'allow', path: comparable(value) }]

const groupsOf = (lines: readonly Line[]): Group[] => {
  const groups: Group[] = []
  let open = false
  for (const line of lines) {
    const group = groups.at(-1)
    if (line.key === 'user-agent') {
      const agent = /^(\*|[A-Za-z0-9_-]+)/.exec(line.value)?.[1]?.toLowerCase() ?? ''
      if (open && group) group.agents.push(agent)
      else groups.push({ agents: [agent], rules: [], crawlDelayS: null })
      open = true
    } else if (line.key === 'allow' || line.key === 'disallow') {
      open = false
      group?.rules.push(...ruleOf(line))
    } else if (line.key === 'crawl-delay') {
      open = false
      if (group) group.crawlDelayS = delayOf(line.value) ?? group.crawlDelayS
    }
  }
  return groups
}

/**
 * Parses a robots.txt (RFC 9309) for the crawler with this product token. Never throws.
 *
 * Returns the rules of all groups with its token, or else those of `*`. Also returns all Sitemap lines, and the Crawl-delay in
 * seconds.
 */
export const parseRobots = (text: string, product: string): Robots => {
  const lines = linesOf(text)
  const groups = groupsOf(lines)
  const named = groups.filter((group) => group.agents.includes(product.toLowerCase()))
  const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'))
  return {
    rules: chosen.flatMap((group) => group.rules),
    sitemaps: lines.filter(({ key, value }) => key === 'sitemap' && value !== '').map(({ value }) => value),
    crawlDelayS: chosen.map((group) => group.crawlDelayS).find((delay) => delay !== null) ?? null,
  }
}

/** True if a path matches a rule's pattern with `*` and a final `$`. Takes at most pattern × path steps. */
const fits = (pattern: string, path: string): boolean => {
  const anchored = pattern.endsWith('$')
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const last = parts.length - 1
  let at = 0
  for (const [n, part] of parts.entries()) {
    if (n === 0) {
      if (!path.startsWith(part)) return false
      at = part.length
      if (last === 0) return !anchored || path.length === at
    } else if (n === last && anchored) return path.length - part.length >= at && path.endsWith(part)
    else {
      const found = path.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
  }
  return true
}

/**
 * True if the rules allow a URL. The longest matching pattern decides, and Allow wins a tie. A URL without a match is allowed.
 */
export const isAllowed = (rules: readonly RobotsRule[], url: URL): boolean => {
  if (url.pathname === '/robots.txt') return true
  const path = comparable(`${url.pathname}${url.search}`)
  let best: RobotsRule | undefined
  for (const rule of rules) {
    const longer = !best || rule.path.length > best.path.length || (rule.path.length === best.path.length && rule.allow)
    if (longer && fits(rule.path, path)) best = rule
  }
  return best?.allow ?? true
}
