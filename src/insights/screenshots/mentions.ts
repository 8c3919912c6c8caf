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

/** Returns the reason that a picture is refused for, where a page does not mention the name. */
export const notNamed = (name: string): string => `“${name.slice(0, 100)}” appears nowhere in the page.`
