import type { ErrorExtras } from '../../src/platform/lib/errors.ts'
import { editDistance } from '../../src/platform/lib/text.ts'
import { ROUTES } from './routes.generated.ts'

type Call = NonNullable<ErrorExtras['next_calls']>[number]
type NearPath = { method: string; path: string }

const MOST = 3
/** Largest share of letters in which a near path may differ. */
const NEAR = 0.5
const LONGEST = 100

/** Returns a path with its numbers as parameters, so that ids do not count as different letters. */
const shapeOf = (path: string): string => path.replace(/\/(\d+|:\w+)(?=\/|$)/g, '/:')

/** Paths that callers of similar services try, with the calls that do the same here. */
const TRIED: readonly (readonly [tried: RegExp, calls: (id: string) => readonly Call[]])[] = [
  [
    /^\/articles\/(\d+)\/schedule$/,
    (id) => [
      {
        method: 'PUT',
        path: `/articles/${id}`,
        body: { status: 'Planned' },
        why: 'Plans the article. Add scheduled_date to set when it is published.',
      },
      { method: 'GET', path: `/articles/${id}`, why: 'Shows the article with its date.' },
    ],
  ],
  [
    /^\/link-outreach(?:\/|$)/,
    () => [
      {
        method: 'GET',
        path: '/outreach/entitlement',
        why: 'Shows whether the account has Outreach Pro, and what it includes.',
      },
    ],
  ],
  [
    /^\/admin(?:\/|$)/,
    () => [
      { method: 'GET', path: '/account', why: 'Shows the account, and the pages for tasks that only people can do.' },
    ],
  ],
  [
    /^\/(?:agent-tools|playbooks)(?:\/|$)/,
    () => [{ method: 'GET', path: '/', why: 'Lists every operation with its path.' }],
  ],
]

/** Returns the calls that do here what a path of a similar service does; none for other paths. */
export const triedFor = (given: string): readonly Call[] => {
  for (const [tried, calls] of TRIED) {
    const found = tried.exec(given)
    if (found) return calls(found[1] ?? '')
  }
  return []
}

/**
 * Returns reads that continue from a path and work without changes.
 *
 * They are the paths near it, with the numbers of the given one as their ids, or the list above it.
 */
export const suggestedReads = (given: string, near: readonly NearPath[]): Call[] => {
  const ids = given.match(/(?<=\/)\d+(?=\/|$)/g) ?? []
  const bare = new Set(ROUTES.filter(([, operations]) => operations.some(({ isBare }) => isBare)).map(([path]) => path))
  const calls = near.flatMap(({ path }): Call[] => {
    const wanted = path.match(/:\w+/g) ?? []
    const own = wanted.length <= ids.length ? path : path.slice(0, path.indexOf('/:'))
    const places = [own, own.slice(0, own.lastIndexOf('/'))].filter((one) => bare.has(one))
    const [read] = places
    if (read === undefined) return []
    const left = [...ids]
    return [
      {
        method: 'GET',
        path: read.replace(/:\w+/g, () => left.shift() ?? ''),
        why:
          own === path && read === path
            ? 'This path is the nearest one.'
            : 'Reads the nearest path that needs no further input.',
      },
    ]
  })
  return calls.filter((call, at) => calls.findIndex(({ path }) => path === call.path) === at)
}

/** Returns the paths of operations nearest to an unknown path, nearest first; none if nothing is near. */
export const nearestPaths = (given: string): NearPath[] => {
  const wanted = shapeOf(given.toLowerCase().slice(0, LONGEST))
  return ROUTES.map(([path, operations]) => ({
    path,
    method: operations[0]?.method ?? 'GET',
    far: editDistance(wanted, shapeOf(path.toLowerCase())) / Math.max(wanted.length, path.length),
  }))
    .filter(({ far }) => far <= NEAR)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ method, path }) => ({ method, path }))
}
