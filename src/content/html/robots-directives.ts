/** Rules for robots of a page. */
export type RobotsRules = { noindex: boolean; nofollow: boolean }

/** Rules with a value behind a colon; any other word before a colon is the name of a crawler. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'])

/** Crawlers whose rules count beside those for all: the one whose results are counted here. */
const READ = new Set(['googlebot'])

/** Names of metas that hold rules for robots. */
export const isRobotsMeta = (name: string): boolean => name === 'robots' || READ.has(name)

const rulesOf = (words: readonly string[]): RobotsRules => ({
  noindex: words.includes('noindex') || words.includes('none'),
  nofollow: words.includes('nofollow') || words.includes('none'),
})

/** Returns the rules of a robots meta: words between commas. */
export const metaRules = (content: string): RobotsRules =>
  rulesOf(content.split(/[,\s]+/).map((word) => word.toLowerCase()))

/**
 * Returns the rules of an `X-Robots-Tag`, of several such headers joined by commas, too. A crawler's name before a colon holds for the rules
 * after it, to the next name; rules for other crawlers do not count.
 */
export const headerRules = (header: string | null): RobotsRules => {
  const words: string[] = []
  let counts = true
  for (const piece of (header ?? '').toLowerCase().split(',')) {
    const named = /^\s*([\w*.-]+)\s*:(.*)$/s.exec(piece)
    const isCrawler = named !== null && !VALUED.has(named[1] ?? '')
    if (isCrawler) counts = named[1] === '*' || READ.has(named[1] ?? '')
    if (counts) words.push((isCrawler ? (named[2] ?? '') : piece).trim())
  }
  return rulesOf(words)
}
