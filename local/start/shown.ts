import { relative } from 'node:path'

/** Returns a path relative to the current folder if it is inside, else unchanged. */
export const shown = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}
