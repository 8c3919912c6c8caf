import type { Mark } from './blocks.ts'

const PLAIN = '0123456789+-−=()'
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  sup: [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'],
  sub: [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'],
}
const DIGITS = /^[\d+\-−=()]+$/

/**
 * Returns a text whose raised or lowered numbers are signs of their own, for sites that have no place for such marks: 10⁶ would
 * read 106.
 */
export const withIndexSigns = (text: string, marks: readonly Mark[]): string => {
  const signs = marks.map(({ name }) => SIGNS[name]).find((one) => one !== undefined)
  if (!signs || !DIGITS.test(text)) return text
  return [...text].map((character) => signs[PLAIN.indexOf(character)] ?? character).join('')
}
