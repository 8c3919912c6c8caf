import type { ScreenshotReason } from '../../../schema/values/screenshots.ts'
import { mentions, nameNotFoundReason } from '../../insights/screenshots/rules.ts'

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

const paeth = (a: number, b: number, c: number): number => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  if (pa <= pb && pa <= pc) return a
  return pb <= pc ? b : c
}

/** Returns the rows of a PNG's image data with their filters undone (PNG, 9). */
const unfiltered = (data: Uint8Array, rowBytes: number, height: number, step: number): Uint8Array => {
  const out = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (rowBytes + 1)]
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x
      const left = x >= step ? (out[at - step] ?? 0) : 0
      const up = y > 0 ? (out[at - rowBytes] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[at - rowBytes - step] ?? 0) : 0
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      out[at] = (data[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted
    }
  }
  return out
}

const inflated = async (parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> =>
  new Uint8Array(
    await new Response(new Blob([...parts]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer(),
  )

/** Decodes a browser's PNG with 8 bits per channel into pixels. Throws for any other PNG. */
const decode = async (png: Uint8Array<ArrayBuffer>): Promise<{ pixels: Uint8Array; channels: number }> => {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const [width, height, depth, color] = [view.getUint32(16), view.getUint32(20), view.getUint8(24), view.getUint8(25)]
  const channels = CHANNELS[color]
  if (depth !== 8 || channels === undefined || view.getUint8(28) !== 0) throw new Error('not a PNG of a browser')
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at)
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return { pixels: unfiltered(await inflated(parts), width * channels, height, channels), channels }
}

/** Largest difference per channel, of 255, at which two colours look the same. */
const TOLERANCE = 10

/** Returns the share of a picture, 0 to 1, that differs from its most frequent colour. */
export const variedShare = async (png: Uint8Array<ArrayBuffer>): Promise<number> => {
  const { pixels, channels } = await decode(png)
  const counts = new Map<number, number>()
  const colorAt = (at: number): number =>
    ((pixels[at] ?? 0) << 16) |
    ((pixels[at + Math.min(1, channels - 1)] ?? 0) << 8) |
    (pixels[at + Math.min(2, channels - 1)] ?? 0)
  for (let at = 0; at < pixels.length; at += channels) counts.set(colorAt(at), (counts.get(colorAt(at)) ?? 0) + 1)
  const [ground = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  const isNear = (color: number): boolean =>
    [16, 8, 0].every((shift) => Math.abs(((color >> shift) & 255) - ((ground >> shift) & 255)) <= TOLERANCE)
  let varied = 0
  for (const [color, count] of counts) if (!isNear(color)) varied += count
  return (varied * channels) / Math.max(1, pixels.length)
}

/** Result of the script that runs in the page (`READ_PAGE`). */
export type Findings = { title: string; text: string; named: string; frames: string[]; banner: boolean }

/** HTTP status and headers of the page. */
export type PageAnswer = { status: number; headers: Record<string, string> }

/** Titles of pages that block bots. Their words and frames are listed below. */
const WALL_TITLES =
  /^(just a moment|attention required|access denied|access to this page has been denied|pardon our interruption|are you a robot|security check|verifying you are human|human verification|robot check|ddos-guard|one more step|request unsuccessful|please wait\.\.\. \| cloudflare)/i
const WALL_WORDS =
  /verify (that )?you are (a )?human|checking (if the site connection is secure|your browser)|are you a robot|prove you are human|unusual traffic from your|enable javascript and cookies to continue|press (&|and) hold to confirm|incapsula incident id|you have been blocked/i
const WALL_FRAMES =
  /captcha-delivery\.com|challenges\.cloudflare\.com|perimeterx|px-captcha|hcaptcha\.com\/captcha|geo\.captcha/i

/** A bot check has less text than this. A shop that explains what robots are has more. */
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

/** Returns all words of a page: its title, its text, its descriptions and its labels. */
export const wordsOf = ({ title, text, named }: Findings): string => `${title}\n${text}\n${named}`

/** Reason why a page cannot be used, with a sentence for people; undefined if it can. */
export type Judged = { reason: ScreenshotReason; detail: string } | undefined

/** Returns why a page cannot be used, or undefined if it can. The reason that explains the others comes first. */
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
  if (!mentions(wordsOf(findings), name)) return { reason: 'wrong_brand', detail: nameNotFoundReason(name) }
  return undefined
}
