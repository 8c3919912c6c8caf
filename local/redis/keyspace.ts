/** The text of a refusal, code first; the dispatcher turns it into an ErrorReply. */
export class RedisError extends Error {}

export type Values = {
  string: string
  hash: Map<string, string>
  set: Set<string>
  zset: Map<string, number>
  list: string[]
}
export type ValueType = keyof Values
export type Content = { [T in ValueType]: { type: T; value: Values[T] } }[ValueType]

/** A stored value; `birth` grows with every new key and gives SCAN cursors that survive deletions. */
export type Entry = Content & { birth: number; expiresAt: number | undefined }

export type Keyspace = {
  entries: Map<string, Entry>
  /** Keys in order of creation, with gaps where keys have gone; compacted as it grows. */
  births: { key: string; birth: number }[]
  lastBirth: number
  /** Counts write commands: persistence compares it with the count at its last save. */
  changes: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** An empty keyspace whose clock is `now` (milliseconds since the epoch). */
export const createKeyspace = (now: () => number): Keyspace => ({
  entries: new Map(),
  births: [],
  lastBirth: 0,
  changes: 0,
  now,
})

const hasExpired = (db: Keyspace, entry: Entry): boolean => entry.expiresAt !== undefined && entry.expiresAt <= db.now()

/** The live entry of a key; an expired one is removed on the way. */
export const find = (db: Keyspace, key: string): Entry | undefined => {
  const entry = db.entries.get(key)
  if (entry === undefined || !hasExpired(db, entry)) return entry
  db.entries.delete(key)
  return undefined
}

/** The value of a key, undefined when absent; throws WRONGTYPE when it holds another type. */
export const lookup = <T extends ValueType>(db: Keyspace, key: string, type: T): Values[T] | undefined => {
  const entry = find(db, key)
  if (entry === undefined) return undefined
  if (entry.type !== type) {
    throw new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value')
  }
  return entry.value as Values[T]
}

const recordBirth = (db: Keyspace, key: string): number => {
  db.lastBirth += 1
  db.births.push({ key, birth: db.lastBirth })
  if (db.births.length > 2 * db.entries.size + 1024) {
    db.births = db.births.filter(({ key, birth }) => birth === db.lastBirth || db.entries.get(key)?.birth === birth)
  }
  return db.lastBirth
}

/** Stores a value under a key, replacing whatever it held; `expiresAt` in epoch milliseconds, undefined for never. */
export const store = (db: Keyspace, key: string, content: Content, expiresAt?: number): void => {
  const birth = find(db, key)?.birth ?? recordBirth(db, key)
  db.entries.set(key, { ...content, birth, expiresAt })
}

const EMPTY: { [T in Exclude<ValueType, 'string'>]: () => Content & { type: T } } = {
  hash: () => ({ type: 'hash', value: new Map() }),
  set: () => ({ type: 'set', value: new Set() }),
  zset: () => ({ type: 'zset', value: new Map() }),
  list: () => ({ type: 'list', value: [] }),
}

/** The collection of a key, created empty when absent; throws WRONGTYPE. The caller puts something into it. */
export const open = <T extends Exclude<ValueType, 'string'>>(db: Keyspace, key: string, type: T): Values[T] => {
  const present = lookup(db, key, type)
  if (present !== undefined) return present
  const content = EMPTY[type]()
  store(db, key, content)
  return content.value as Values[T]
}

/** Removes a key; false when there was none. */
export const remove = (db: Keyspace, key: string): boolean => find(db, key) !== undefined && db.entries.delete(key)

/** Removes a key whose collection has become empty: Redis keeps no empty collections. */
export const removeIfEmpty = (db: Keyspace, key: string): void => {
  const entry = db.entries.get(key)
  if (entry === undefined || entry.type === 'string') return
  if ((entry.type === 'list' ? entry.value.length : entry.value.size) === 0) db.entries.delete(key)
}

/** Removes every key. */
export const clear = (db: Keyspace): void => {
  db.entries.clear()
  db.births = []
}

/** All live keys, oldest first. */
export const liveKeys = (db: Keyspace): string[] => [...db.entries.keys()].filter((key) => find(db, key) !== undefined)

const firstAfter = (births: Keyspace['births'], birth: number): number => {
  let low = 0
  let high = births.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((births[middle]?.birth ?? 0) > birth) high = middle
    else low = middle + 1
  }
  return low
}

/** One SCAN step: up to `count` keys born after `cursor`, and the next cursor (0 at the end). */
export const scanFrom = (db: Keyspace, cursor: number, count: number): { cursor: number; keys: string[] } => {
  const keys: string[] = []
  for (let i = firstAfter(db.births, cursor); i < db.births.length; i += 1) {
    const candidate = db.births[i]
    if (candidate === undefined || find(db, candidate.key)?.birth !== candidate.birth) continue
    if (keys.length === count) return { cursor: (db.births[i - 1] ?? candidate).birth, keys }
    keys.push(candidate.key)
  }
  return { cursor: 0, keys }
}
