import { topBlocks } from '../html/blocks.ts'
import { withoutMarksInHtml } from '../html/model-marks.ts'
import { escapeAttribute, escapeText } from '../html/references.ts'
import { sanitizeHtml } from '../html/sanitize.ts'
import { KEPT, shows, tokensOf } from './tokens.ts'

/** Most characters of a preview. */
const MAX_PREVIEW = 20_000

const DELIMITER = /<!--[ \t\r\n]+\/?wp:[^>]*-->/g

const previewOf = (source: string, label: string): string => {
  const safe = sanitizeHtml(source.replace(DELIMITER, ''))
  const html = safe.kind === 'clean' ? safe.html.trim() : ''
  const isShown = html.length <= MAX_PREVIEW && !html.includes(KEPT) && shows(tokensOf(html))
  return isShown ? html : `<figcaption>${escapeText(label)}</figcaption>`
}

const hashOf = (text: string): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  return ((high >>> 0) * 2 ** 20 + ((low >>> 0) & 0xfffff)).toString(36)
}

/**
 * Returns the element that stands for a kept block, and its id, which depends on the source alone, so that it is found again.
 *
 * `seen` counts blocks with the same source. `preview` is HTML, which is sanitized.
 */
export const keptFigure = (
  seen: Map<string, number>,
  source: string,
  label: string,
  preview: string,
): { id: string; html: string } => {
  const hash = hashOf(source)
  const count = (seen.get(hash) ?? 0) + 1
  seen.set(hash, count)
  const id = count === 1 ? hash : `${hash}-${count}`
  return {
    id,
    html: `<figure ${KEPT}="${id}" data-label="${escapeAttribute(label)}">${previewOf(preview, label)}</figure>`,
  }
}

/** True if an article keeps HTML byte for byte, as one element. Otherwise callers would not see what they change. */
export const isPlain = (html: string): boolean => {
  if (withoutMarksInHtml(html) !== html) return false
  const safe = sanitizeHtml(html)
  return safe.kind === 'clean' && safe.html === html && topBlocks(html.trim()).length <= 1
}
