import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Content, find, type Keyspace, store } from './keyspace.ts'

type Saved =
  | { type: 'string'; value: string }
  | { type: 'hash'; value: [string, string][] }
  | { type: 'set'; value: string[] }
  | { type: 'zset'; value: [string, number | 'inf' | '-inf'][] }
  | { type: 'list'; value: string[] }
type SavedEntry = Saved & { key: string; expiresAt?: number | undefined }

const savedScore = (score: number): number | 'inf' | '-inf' =>
  Number.isFinite(score) ? score : score > 0 ? 'inf' : '-inf'
const scoreOf = (saved: number | 'inf' | '-inf'): number =>
  typeof saved === 'number' ? saved : saved === 'inf' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY

const toSaved = (content: Content): Saved => {
  if (content.type === 'hash') return { type: 'hash', value: [...content.value] }
  if (content.type === 'set') return { type: 'set', value: [...content.value] }
  if (content.type !== 'zset') return { type: content.type, value: content.value } as Saved
  return { type: 'zset', value: [...content.value].map(([member, score]) => [member, savedScore(score)]) }
}

const toContent = (saved: Saved): Content => {
  if (saved.type === 'hash') return { type: 'hash', value: new Map(saved.value) }
  if (saved.type === 'set') return { type: 'set', value: new Set(saved.value) }
  if (saved.type === 'zset') return { type: 'zset', value: new Map(saved.value.map(([m, s]) => [m, scoreOf(s)])) }
  return saved
}

const FILE = 'redis.json'

/** Fills the keyspace from `dir`, creating the directory; does nothing when no state was saved. Throws on a damaged file. */
export const loadSnapshot = (db: Keyspace, dir: string): void => {
  mkdirSync(dir, { recursive: true })
  let text: string
  try {
    text = readFileSync(join(dir, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  for (const entry of JSON.parse(text) as SavedEntry[]) store(db, entry.key, toContent(entry), entry.expiresAt)
}

/** Writes all live keys to `dir`; a reader sees the old file or the new one, never a part. */
export const saveSnapshot = async (db: Keyspace, dir: string): Promise<void> => {
  const entries: SavedEntry[] = []
  for (const key of db.entries.keys()) {
    const entry = find(db, key)
    if (entry !== undefined) entries.push({ key, ...toSaved(entry), expiresAt: entry.expiresAt })
  }
  const file = join(dir, FILE)
  await writeFile(`${file}.tmp`, JSON.stringify(entries))
  await rename(`${file}.tmp`, file)
}
