import { relative } from 'node:path'

/** Returns a path as it is typed from where the command runs. */
export const shown = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}
