import { ROUTES } from './routes.generated.ts'

const MOST = 3
/** Paths that differ in more than this share of their letters are not near. */
const NEAR = 0.5
const LONGEST = 100

/** Counts the letters to add, remove or change to turn one text into the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns a path with each number in it as a parameter, so that an id costs no letters. */
const shapeOf = (path: string): string => path.replace(/\/(\d+|:\w+)(?=\/|$)/g, '/:')

/** Returns the paths of operations nearest to one that is none, nearest first; none if nothing is near. */
export const nearestPaths = (given: string): { method: string; path: string }[] => {
  const wanted = shapeOf(given.toLowerCase().slice(0, LONGEST))
  return ROUTES.map(([path, operations]) => ({
    path,
    method: operations[0]?.method ?? 'GET',
    far: distance(wanted, shapeOf(path.toLowerCase())) / Math.max(wanted.length, path.length),
  }))
    .filter(({ far }) => far <= NEAR)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ method, path }) => ({ method, path }))
}
