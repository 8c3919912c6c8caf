import type { ScreenshotReason } from '../../../schema/values/screenshots.ts'

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

/** Ends of company names that sites rarely write. */
const LEGAL_FORMS =
  /(?<![\s,])[\s,]+(inc|incorporated|llc|ltd|limited|gmbh|ag|kg|ug|co|corp|corporation|company|plc|sa|sas|sarl|srl|spa|bv|nv|ab|oy|as|aps|pty|pte|kk|ooo)\.?$/i

/** Letters and digits alone, without accents and case. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isSpaced = (text: string): boolean => !/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u.test(text)

/** A name shorter than this is looked for as a word of its own only: "Go" is in every page. */
const SQUEEZED_LENGTH = 5

/** True if a text has a name, whatever its case, accents, spacing and company form. */
export const mentions = (text: string, name: string): boolean => {
  const page = letters(text)
  const wanted = letters(name.replace(LEGAL_FORMS, '')) || letters(name)
  // A name without letters cannot be looked for.
  if (wanted === '') return true
  if (` ${page} `.includes(` ${wanted} `)) return true
  const squeezed = wanted.replaceAll(' ', '')
  if (isSpaced(wanted) && squeezed.length < SQUEEZED_LENGTH) return false
  return page.replaceAll(' ', '').includes(squeezed)
}

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
  if (!mentions(`${findings.title}\n${findings.text}\n${findings.named}`, name))
    return { reason: 'wrong_brand', detail: `“${name.slice(0, 100)}” appears nowhere in the page.` }
  return undefined
}
