import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { WORKERS } from '../../local/bundle.ts'

/** KiB, gzipped, that a Worker may weigh: the first caller of an isolate waits for it. */
const USUAL_KIB = 150
/** Workers that may weigh more or less, and why. In each that has the database, 45 KiB are Neon's driver. */
const OTHER: Readonly<Record<string, number>> = {
  /** Every request passes it. It holds a table of routes, not the declarations that is made from. */
  gateway: 20,
  /** Sign-in, sessions and OAuth are two libraries. */
  accounts: 380,
  /** Connecting, delivering, taking back and looking up, for every platform. */
  publishing: 200,
  /** Saving reads content: the sanitiser, the report on search optimisation, the exchange. */
  articles: 175,
  /** Nobody waits for jobs: the queue asks them. */
  jobs: 225,
  background: 265,
  /** The language models' library. Only jobs ask it. */
  writer: 280,
}

const kibOf = (bundles: string, folder: string): number =>
  gzipSync(readFileSync(join(bundles, folder, 'index.js'))).length / 1024

/** Bundles by weight, the heaviest first, and those that weigh more than they may. */
export const weighBundles = (bundles: string): { lines: string[]; tooLarge: string[] } => {
  const weights = WORKERS.map(({ folder }) => ({ folder, kib: kibOf(bundles, folder) })).sort((a, b) => b.kib - a.kib)
  return {
    lines: weights.map(({ folder, kib }) => `${folder} ${kib.toFixed(0)}`),
    tooLarge: weights
      .filter(({ folder, kib }) => kib > (OTHER[folder] ?? USUAL_KIB))
      .map(({ folder, kib }) => `${folder} is ${kib.toFixed(1)} KiB gzipped; it may be ${OTHER[folder] ?? USUAL_KIB}`),
  }
}
