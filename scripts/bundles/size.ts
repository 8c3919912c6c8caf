import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { WORKERS } from '../../local/bundle.ts'

/** KiB, gzipped, that a Worker may weigh which answers callers: the first one of an isolate waits for it. */
const CALLERS_KIB = 150
/** The same for a Worker that only others call. */
const INNER_KIB = 250
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

/** Workers with a limit of their own, and why. */
const OWN_KIB: Readonly<Record<string, number>> = {
  /** Every request passes it. It holds a table of routes, not the declarations that is made from. */
  gateway: 20,
  /** Sign-in and sessions are a library. Pages of people, never a call of the API. */
  signin: 160,
}

/** KiB, gzipped, that a Worker may weigh. */
export const limitOf = (folder: string): number => OWN_KIB[folder] ?? (INNER.has(folder) ? INNER_KIB : CALLERS_KIB)

const kibOf = (bundles: string, folder: string): number =>
  gzipSync(readFileSync(join(bundles, folder, 'index.js'))).length / 1024

/** Bundles by weight, the heaviest first, and those that weigh more than they may. */
export const weighBundles = (bundles: string): { lines: string[]; tooLarge: string[] } => {
  const weights = WORKERS.map(({ folder }) => ({ folder, kib: kibOf(bundles, folder) })).sort((a, b) => b.kib - a.kib)
  return {
    lines: weights.map(({ folder, kib }) => `${folder} ${kib.toFixed(0)}`),
    tooLarge: weights
      .filter(({ folder, kib }) => kib > limitOf(folder))
      .map(({ folder, kib }) => `${folder} is ${kib.toFixed(1)} KiB gzipped; it may be ${limitOf(folder)}`),
  }
}
