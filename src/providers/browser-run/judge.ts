import type { ScreenshotReason } from '../../../schema/values/screenshots.ts'
import { mentions, notNamed } from '../../insights/screenshots/mentions.ts'

/** Findings of the script that runs in the page (`READ_PAGE`). */
export type Findings = { title: string; text: string; named: string; frames: string[]; banner: boolean }

/** The answer the page came with. */
export type PageAnswer = { status: number; headers: Record<string, string> }

/** Titles and answers of pages that keep machines out. */
const WALL_TITLES =
  /^(just a moment|attention required|access denied|access to this page has been denied|pardon our interruption|are you a robot|security check|verifying you are human|human verification|robot check|ddos-guard|one more step|request unsuccessful|please wait\.\.\. \| cloudflare)/i
const WALL_WORDS =
  /verify (that )?you are (a )?human|checking (if the site connection is secure|your browser)|are you a robot|prove you are human|unusual traffic from your|enable javascript and cookies to continue|press (&|and) hold to confirm|incapsula incident id|you have been blocked/i
const WALL_FRAMES =
  /captcha-delivery\.com|challenges\.cloudflare\.com|perimeterx|px-captcha|hcaptcha\.com\/captcha|geo\.captcha/i

/** A wall says little besides; a shop that explains what robots are is none. */
const WALL_LENGTH = 1_500

const isWall = (findings: Findings, { status, headers }: PageAnswer): boolean => {
  if (headers['cf-mitigated'] === 'challenge') return true
  const short = findings.text.length < WALL_LENGTH
  if (short && (WALL_TITLES.test(findings.title.trim()) || WALL_WORDS.test(findings.text))) return true
  if (short && findings.frames.some((src) => WALL_FRAMES.test(src))) return true
  return (
    status === 429 ||
    (status === 403 &&
      /\b(captcha|cloudflare|akamai|datadome|incapsula)\b/i.test(`${findings.text} ${headers.server ?? ''}`))
  )
}

/** Returns all that a page says: its title, its text, and the words of its descriptions and labels. */
export const wordsOf = ({ title, text, named }: Findings): string => `${title}\n${text}\n${named}`

export type Judged = { reason: ScreenshotReason; detail: string } | undefined

/** Returns the reason for which a page cannot be shown, the one that explains the others first; undefined if it can. */
export const judgePage = (findings: Findings, answer: PageAnswer, isBlank: boolean, name: string): Judged => {
  if (isWall(findings, answer))
    return { reason: 'blocked', detail: 'The site keeps machines out: it showed a check instead of the page.' }
  if (answer.status >= 400)
    return { reason: 'http_error', detail: `The page answered with HTTP status ${answer.status}.` }
  if (isBlank) return { reason: 'blank_page', detail: 'The page shows nothing.' }
  if (findings.banner)
    return {
      reason: 'cookie_banner',
      detail: 'A consent banner covers the page and offers no way to refuse that could be used.',
    }
  if (!mentions(wordsOf(findings), name)) return { reason: 'wrong_brand', detail: notNamed(name) }
  return undefined
}
