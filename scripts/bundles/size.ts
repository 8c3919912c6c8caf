import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { WORKERS } from '../../local/bundle.ts'

/** Most KiB, gzipped, of a Worker that answers callers, and of other Workers. */
const CALLERS_KIB = 300
const INNER_KIB = 400
const INNER: ReadonlySet<string> = new Set([
  'jobs',
  'background',
  'watch',
  'writer',
  'texts',
  'cms',
  'cards',
  'browser',
])

/** Returns how many KiB, gzipped, a Worker may weigh. */
export const limitOf = (folder: string): number => (INNER.has(folder) ? INNER_KIB : CALLERS_KIB)

const kibOf = (bundles: string, folder: string): number =>
  gzipSync(readFileSync(join(bundles, folder, 'index.js'))).length / 1024

/** Returns the bundles by weight, heaviest first, and those above their limit. */
export const weighBundles = (bundles: string): { lines: string[]; tooLarge: string[] } => {
  const weights = WORKERS.map(({ folder }) => ({ folder, kib: kibOf(bundles, folder) })).sort((a, b) => b.kib - a.kib)
  return {
    lines: weights.map(({ folder, kib }) => `${folder} ${kib.toFixed(0)}`),
    tooLarge: weights
      .filter(({ folder, kib }) => kib > limitOf(folder))
      .map(
        ({ folder, kib }) =>
          `${folder} is ${kib.toFixed(1)} KiB gzipped; it may be ${limitOf(folder)} (docs/design/workers.md)`,
      ),
  }
}
