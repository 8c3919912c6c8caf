import type { Mark } from './blocks.ts'

const PLAIN = '0123456789+-−=()'
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  sup: [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'],
  sub: [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'],
}
const DIGITS = /^[\d+\-−=()]+$/

/**
 * Returns superscript or subscript numbers as Unicode characters, for sites without such marks. Otherwise 10⁶ would become 106.
 */
export const withIndexSigns = (text: string, marks: readonly Mark[]): string => {
  const signs = marks.map(({ name }) => SIGNS[name]).find((one) => one !== undefined)
  if (!signs || !DIGITS.test(text)) return text
  return [...text].map((character) => signs[PLAIN.indexOf(character)] ?? character).join('')
}
