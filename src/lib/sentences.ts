/** Words that end with a full stop inside a sentence, lower-case, of the languages most texts are in. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e etc vs cf ca approx incl no nr fig figs vol pp mr mrs ms dr prof sr jr st inc ltd co corp est min max dept ' +
    'z.b d.h u.a usw bzw evtl ggf inkl zzgl mio mrd str abs bspw vgl p.ex par.ex env mme mlle p.ej sra dra ud bijv o.a d.w.z enz blz resp a.m p.m u.s u.k'
  ).split(' '),
)

const END = /(?<![.!?…])[.!?…]+(?:["'”’“‘»«›‹)\]}*†‡¹²³⁰⁴-⁹]|\[\d{1,3}\])*(?=\s)|[。！？]+[」』”）]*|\n+/gu

/** Whether the full stop at `end` belongs to the word before it: an abbreviation, an initial, a number that counts. */
const isInside = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(start, end - 24), end)
  const word = /(?<![\p{L}\p{N}.])([\p{L}\p{N}.]+)$/u.exec(before)?.[1] ?? ''
  if (/^\d{1,2}$/.test(word)) return true
  if (/^\p{Lu}$/u.test(word)) return true
  return ABBREVIATIONS.has(word.toLowerCase())
}

/** A sentence's place in a text; `end` is behind the blanks that follow it. */
export type Span = { start: number; end: number }

/**
 * Cuts a text into sentences. Rather too long than too short: an abbreviation, an initial or a counting number ends none,
 * and neither does a full stop before a small letter.
 */
export const sentencesOf = (text: string): Span[] => {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const mark = match[0]
    const after = match.index + mark.length
    const next = /\S/.exec(text.slice(after, after + 50))?.[0] ?? ''
    if (/\p{Ll}/u.test(next) && mark.startsWith('.')) continue
    if (/^\.["'”’“‘»«›‹)\]}]*$/.test(mark) && isInside(text, start, match.index)) continue
    const blanks = /^\s*/.exec(text.slice(after, after + 200))?.[0].length ?? 0
    const end = after + blanks
    if (end <= start) continue
    spans.push({ start, end })
    start = end
  }
  if (text.slice(start).trim() !== '') spans.push({ start, end: text.length })
  return spans
}
