import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { DamagedFile } from '../damaged-file.ts'

/** What the last start in a folder wrote. */
export type Earlier = { api_key?: string; receiver_url?: string; sample_project_id?: number }

/** A path as it is typed from where the command runs. */
export const shown = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}

/** The earlier start's service.json; undefined when it cannot be read. */
export const earlierStart = (file: string): Earlier | undefined => {
  if (!existsSync(file)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Moves data and service.json into `old/<now>` of the folder; that folder, or undefined when there was nothing. */
export const moveAside = (dir: string, now: Date): string | undefined => {
  const names = ['data', 'service.json'].filter((name) => existsSync(join(dir, name)))
  if (names.length === 0) return undefined
  const target = join(dir, 'old', now.toISOString().replace(/[:.]/g, '-'))
  mkdirSync(target, { recursive: true })
  for (const name of names) renameSync(join(dir, name), join(target, name))
  return target
}

const PARTS: [name: string, what: string][] = [
  ['database', 'the database with projects and articles'],
  ['r2', 'the hosted images'],
  ['receiver', "the sample receiver's posts"],
  ['qstash', 'the messages that wait'],
  ['social', 'the sandbox’s social accounts and posts'],
  ['google', 'the sandbox’s Google accounts'],
  ['crowdwork', 'the sandbox’s campaigns'],
]

/** One sentence each on what is damaged, what is still there and what to do. */
export const describeDamage = ({ file, reason }: DamagedFile, dir: string): string => {
  const rest = PARTS.map(([name, what]) => ({ path: join(dir, 'data', name), what })).filter(
    ({ path }) => !file.startsWith(path) && existsSync(path),
  )
  const still = rest.map(({ path, what }) => `${what} (${shown(path)})`).join(', ')
  return [
    `${shown(file)} is damaged, so the service did not start: ${reason}.`,
    ...(still === '' ? [] : [`Still there: ${still}.`]),
    `Put that file right or take it away, or start with empty data: npm start -- --fresh (the old data is moved to ${shown(join(dir, 'old'))}, nothing is deleted).`,
  ].join('\n')
}
