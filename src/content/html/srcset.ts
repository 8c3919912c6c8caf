const BLANK = /[ \t\n\f\r]/

/** Returns the end of the descriptors that begin at `from`: the next comma outside of brackets. */
const descriptorsEnd = (srcset: string, from: number): number => {
  let depth = 0
  let at = from
  for (; at < srcset.length; at += 1) {
    const char = srcset[at]
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) return at
  }
  return at
}

/** The candidates of a `srcset`, as browsers part them: at blanks and at the commas behind those (HTML standard, 4.8.4.2.1). */
export const candidatesOf = (srcset: string): { url: string; text: string }[] => {
  const candidates: { url: string; text: string }[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && (BLANK.test(srcset[at] ?? '') || srcset[at] === ',')) at += 1
    const start = at
    while (at < srcset.length && !BLANK.test(srcset[at] ?? '')) at += 1
    if (at === start) break
    const whole = srcset.slice(start, at)
    const end = whole.endsWith(',') ? at : descriptorsEnd(srcset, at)
    let length = whole.length
    while (whole[length - 1] === ',') length -= 1
    const url = whole.slice(0, length)
    candidates.push({ url, text: `${url}${srcset.slice(at, end).trimEnd()}` })
    at = end
  }
  return candidates
}
