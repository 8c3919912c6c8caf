import { fold, tokensOf } from './words.ts'

/*
 * MinHash (Broder 1997) over phrases of five words, in bands of three hashes. Two texts that share a part s of their phrases
 * share a band with probability s³. So the number of equal bands gives an estimate of s, and an index over the bands finds
 * near duplicates among any number of articles.
 */
const SHINGLE = 5
const BANDS = 24
const ROWS = 3
/** Fewest phrases for a sketch. Fewer do not identify a text. */
const MIN_SHINGLES = 40
/** Most words read of a text. */
const MAX_TOKENS = 20_000

/** Mixes the bits of an integer (finalizer of MurmurHash3). */
const mix = (value: number): number => {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Returns the FNV-1a hash of a token, mixed. */
export const hashOf = (token: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < token.length; i += 1) h = Math.imul(h ^ token.charCodeAt(i), 0x01000193)
  return mix(h)
}

const SEEDS = Array.from({ length: BANDS * ROWS }, (_, n) => ({
  shift: mix(n * 2 + 1),
  factor: mix(n * 2 + 0x9e3779b9) | 1,
}))

const shinglesOf = (tokens: readonly string[]): Set<number> => {
  const hashes = tokens.slice(0, MAX_TOKENS).map(hashOf)
  const shingles = new Set<number>()
  for (let start = 0; start + SHINGLE <= hashes.length; start += 1) {
    let h = 0
    for (let n = 0; n < SHINGLE; n += 1) h = Math.imul(h, 31) + (hashes[start + n] ?? 0)
    shingles.add(mix(h | 0))
  }
  return shingles
}

/**
 * Returns the band hashes of a text, the same for every project; empty for a text that is too short.
 *
 * `saltSketch` makes them specific to a project.
 */
export const bandsOf = (text: string): number[] => {
  const shingles = shinglesOf(tokensOf(fold(text)))
  if (shingles.size < MIN_SHINGLES) return []
  const least = SEEDS.map(({ shift, factor }) => {
    let min = 0xffffffff
    for (const shingle of shingles) {
      const value = Math.imul(shingle ^ shift, factor) >>> 0
      if (value < min) min = value
    }
    return min
  })
  return Array.from({ length: BANDS }, (_, band) => {
    let h = mix(band + 1)
    for (let row = 0; row < ROWS; row += 1) h = mix(Math.imul(h, 31) + (least[band * ROWS + row] ?? 0))
    return h
  })
}

/** Multiplier of a project's salt. The query in `parts.ts` uses the same. */
export const SALT_FACTOR = 2_654_435_761

/**
 * Returns the band hashes for one project, as `articles.content_sketch` has them: 32-bit integers.
 *
 * The salt makes bands of different projects differ, so that their index does not need the project.
 */
export const saltSketch = (bands: readonly number[], projectId: number): number[] => {
  const salt = Math.imul(projectId, SALT_FACTOR | 0)
  return bands.map((band) => band ^ salt)
}

/** Returns the estimated share (0 to 1) of phrases that two texts have in common, from their sketches. */
export const sharedPart = (one: readonly number[], other: readonly number[]): number => {
  if (one.length === 0 || other.length === 0) return 0
  const known = new Set(other)
  return Math.cbrt(one.filter((band) => known.has(band)).length / one.length)
}
