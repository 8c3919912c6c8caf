/** Letters that are one with their plain form although Unicode does not take them apart. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
}

/**
 * Accents, and the marks that Arabic and Hebrew leave out at will. Vowel signs of other scripts stay, because they make words, and so do
 * the marks of й and ї.
 */
const accents = () =>
  /(?<!и)\u0306|(?<!і)\u0308|[\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u0640]/gu

/** Returns a text in the form in which words are compared: lower case, without accents. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents(), '')
    .replace(/[ßøłđðþæœıςيىك]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
