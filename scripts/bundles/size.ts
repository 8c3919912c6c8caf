import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { WORKERS } from '../../local/bundle.ts'

/** Most KiB of a Worker, gzipped. Users wait for paths over Workers, not for kilobytes: `npm run bench -- --only weight`. */
export const LIMIT_KIB = 1024

const kibOf = (bundles: string, folder: string): number =>
  gzipSync(readFileSync(join(bundles, folder, 'index.js'))).length / 1024

/** Returns the bundles by weight, heaviest first, and those above their limit. */
export const weighBundles = (bundles: string): { lines: string[]; tooLarge: string[] } => {
  const weights = WORKERS.map(({ folder }) => ({ folder, kib: kibOf(bundles, folder) })).sort((a, b) => b.kib - a.kib)
  return {
    lines: weights.map(({ folder, kib }) => `${folder} ${kib.toFixed(0)}`),
    tooLarge: weights
      .filter(({ kib }) => kib > LIMIT_KIB)
      .map(
        ({ folder, kib }) =>
          `${folder} is ${kib.toFixed(1)} KiB gzipped; it may be ${LIMIT_KIB} (docs/design/workers.md)`,
      ),
  }
}
