import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { z } from 'zod'
import { DamagedFile, textIn } from '../damaged-file.ts'
import type { DiskFull } from '../disk.ts'
import { shown } from './options.ts'

const Shape = z.object({
  base_url: z.optional(z.url()),
  api_key: z.optional(z.string()),
  receiver_url: z.optional(z.url()),
  blog_url: z.optional(z.url()),
  sample_project_id: z.optional(z.int()),
})

/** Record of a folder's last start. */
export type Earlier = z.infer<typeof Shape>

/** True if anything is at the path, even a broken link or something that cannot be read. */
const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/**
 * Reads the earlier start's service.json: 'missing', 'unreadable' or its values. Throws a DamagedFile if a folder is in
 * its place.
 */
export const earlierStart = (file: string): Earlier | 'missing' | 'unreadable' => {
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new DamagedFile(file, 'there is a folder in its place')
  try {
    const text = textIn(file)
    if (text === undefined) return 'missing'
    return Shape.safeParse(JSON.parse(text)).data ?? 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/**
 * Returns the file to which a start moves its service.json when it ends. Scripts should find no addresses that do not
 * answer.
 */
export const lastStartIn = (dir: string): string => join(dir, 'data', 'last-start.json')

/**
 * Returns the file that the next start reads: service.json if the last start was killed, else the file it was moved to.
 */
export const earlierFile = (dir: string): string => {
  const service = join(dir, 'service.json')
  const hasData = lstatSync(join(dir, 'data'), { throwIfNoEntry: false })?.isDirectory() === true
  return isThere(service) || !hasData ? service : lastStartIn(dir)
}

/** Names that `--fresh` moves aside. */
const MOVED = ['data', 'service.json']

/**
 * Moves data and service.json into `old/<now>` of the folder. Returns that folder; undefined if there was nothing to
 * move.
 */
export const moveAside = (dir: string, now: Date): string | undefined => {
  const names = MOVED.filter((name) => isThere(join(dir, name)))
  if (names.length === 0) return undefined
  const target = join(dir, 'old', now.toISOString().replace(/[:.]/g, '-'))
  mkdirSync(target, { recursive: true })
  for (const name of names) renameSync(join(dir, name), join(target, name))
  return target
}

/** Parts of the data: a name, the files that every start leaves there, and the contents in words. */
const PARTS: [name: string, files: string[], what: string][] = [
  ['database', ['PG_VERSION'], 'the database with projects and articles'],
  ['r2', [''], 'the hosted images'],
  ['receiver', ['receiver.json'], "the sample receiver's posts"],
  ['blog', ['wordpress.json'], 'the posts of the old blog'],
  ['qstash', ['qstash.jsonl'], 'the messages that wait'],
  ['social', ['zernio.json'], 'the sandbox’s social accounts and posts'],
  ['google', ['google.json', 'google-business.json'], 'the sandbox’s Google accounts'],
  ['crowdwork', ['crowdwork.json'], 'the sandbox’s campaigns'],
]

/** True if a file is missing. A database without its first file, but with others, is damaged instead. */
const isGone = (path: string): boolean =>
  !isThere(path) &&
  !(path.endsWith('PG_VERSION') && isThere(join(path, '..')) && readdirSync(join(path, '..')).length > 0)

/**
 * Returns one sentence for each file of the data that is missing while others exist.
 *
 * `elsewhere`: the database is not in the folder.
 */
export const missingIn = (dir: string, elsewhere: boolean): string[] => {
  const service = earlierFile(dir)
  const files = PARTS.filter(([name]) => !(elsewhere && name === 'database')).flatMap(([name, files, what]) =>
    files.map((file) => ({ path: join(dir, 'data', name, file), what })),
  )
  const gone = files.filter(({ path }) => isGone(path))
  if (gone.length === files.length && !isThere(service)) return []
  return [
    ...(isThere(service)
      ? []
      : [`There is no ${shown(join(dir, 'service.json'))}: a new one is written, with a new API key.`]),
    ...gone.map(({ path, what }) => `There is no ${shown(path)}, so it begins empty (${what}).`),
  ]
}

/** Returns the owner of a path's nearest existing folder, in words. */
const ownerOf = (path: string): string => {
  const uid = statSync(path, { throwIfNoEntry: false })?.uid
  if (uid === undefined) return dirname(path) === path ? 'nobody' : ownerOf(dirname(path))
  return uid === 0 ? 'root' : `the user ${uid}`
}

/** Returns sentences about the damage, the data that remains, and what to do. */
export const describeDamage = ({ file, reason, isDenied }: DamagedFile, dir: string): string => {
  if (isDenied) {
    const place = isThere(dir) ? dir : dirname(dir)
    const why = reason.startsWith('the disk') ? reason : `it belongs to ${ownerOf(place)}`
    return `You may not write to ${shown(place)} (${why}). Choose another with --dir, or change its owner.`
  }
  const names = new Map(PARTS.map(([name, , what]) => [name, what]))
  const rest = [...names]
    .map(([name, what]) => ({ path: join(dir, 'data', name), what }))
    .filter(({ path }) => path !== file && !file.startsWith(path + sep) && existsSync(path))
  const still = rest.map(({ path, what }) => `${what} (${shown(path)})`).join(', ')
  const moved = MOVED.some((name) => `${file}${sep}`.startsWith(join(dir, name) + sep))
  const fresh = `, or start with empty data: npm start -- --fresh (the old data is moved to ${shown(join(dir, 'old'))}, nothing is deleted)`
  return [
    `${shown(file)} is damaged, so the service did not start: ${reason}.`,
    ...(still === '' ? [] : [`Still there: ${still}.`]),
    `Put that file right or take it away${moved ? fresh : ''}.`,
  ].join('\n')
}

/** Returns sentences about a full disk. Starting with empty data would not help, so nothing suggests it. */
export const describeFull = ({ message }: DiskFull): string =>
  `${message}
The service did not start. Its data is safe: free some space and start it again, or choose a folder on another disk with --dir.`
