import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DamagedFile } from '../damaged-file.ts'

type Entry = ['put', string, string, object] | ['remove', string, string]

export type Table<T extends object> = {
  get: (id: string) => T | undefined
  values: () => T[]
  /** The row put first of those still here. */
  oldest: () => T | undefined
  put: (id: string, value: T) => void
  remove: (id: string) => void
}

export type Journal = {
  table: <T extends object>(name: string) => Table<T>
  /** Writes the changes made inside as one append; they become readable when it returns. */
  group: (work: () => void) => void
  close: () => void
}

// A long run rewrites the file past this size, so that a night of cron deliveries does not fill the disk.
const compactAboveBytes = 64 * 1024 * 1024

type Tables = Map<string, Map<string, object>>

const tableOf = (tables: Tables, name: string): Map<string, object> => {
  const found = tables.get(name) ?? new Map<string, object>()
  tables.set(name, found)
  return found
}

const apply = (tables: Tables, [op, name, id, value]: Entry): void => {
  const rows = tableOf(tables, name)
  if (op === 'put') rows.set(id, value)
  if (op === 'remove') rows.delete(id)
}

const load = (file: string): Tables => {
  const tables: Tables = new Map()
  if (!existsSync(file)) return tables
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    try {
      apply(tables, JSON.parse(line) as Entry)
    } catch {
      // A process killed while appending leaves a torn last line; its change was never answered.
      if (at < lines.length - 1) throw new DamagedFile(file, `line ${at + 1} of ${lines.length} is not an entry`)
    }
  }
  return tables
}

const snapshot = (tables: Tables): string => {
  const lines: string[] = []
  for (const [name, rows] of tables) {
    for (const [id, value] of rows) lines.push(`${JSON.stringify(['put', name, id, value])}\n`)
  }
  return lines.join('')
}

type Log = { append: (entries: Entry[]) => void; close: () => void }

/** write(2) has returned before the caller goes on, so a killed process loses nothing: the page cache survives it. */
const openLog = (dir: string, file: string, tables: Tables): Log => {
  let descriptor = -1
  let size = 0
  const compact = (): void => {
    const text = snapshot(tables)
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
    if (descriptor !== -1) closeSync(descriptor)
    descriptor = openSync(file, 'a')
    size = Buffer.byteLength(text)
  }
  mkdirSync(dir, { recursive: true })
  compact()
  let compactAt = Math.max(compactAboveBytes, size * 2)
  return {
    append: (entries) => {
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      if (size > compactAt) {
        compact()
        compactAt = Math.max(compactAboveBytes, size * 2)
      }
      appendFileSync(descriptor, text)
      size += Buffer.byteLength(text)
    },
    close: () => closeSync(descriptor),
  }
}

/**
 * Named tables kept in memory and, with `dir`, in an append-only JSON-lines file there that is compacted at start.
 * A change is on file before the call that makes it returns; when it cannot be written, the call throws and nothing changes.
 */
export const openJournal = (dir?: string): Journal => {
  const file = dir === undefined ? '' : join(dir, 'qstash.jsonl')
  const tables: Tables = dir === undefined ? new Map() : load(file)
  const log = dir === undefined ? undefined : openLog(dir, file, tables)
  let grouped: Entry[] | undefined

  const commit = (entries: Entry[]): void => {
    log?.append(entries)
    for (const entry of entries) apply(tables, entry)
  }
  const change = (entry: Entry): void => {
    if (grouped) grouped.push(entry)
    else commit([entry])
  }
  const table = <T extends object>(name: string): Table<T> => {
    const rows = tableOf(tables, name) as Map<string, T>
    return {
      get: (id) => rows.get(id),
      values: () => [...rows.values()],
      oldest: () => rows.values().next().value,
      put: (id, value) => change(['put', name, id, value]),
      remove: (id) => {
        if (rows.has(id)) change(['remove', name, id])
      },
    }
  }
  const group = (work: () => void): void => {
    grouped = []
    try {
      work()
    } catch (error) {
      grouped = undefined
      throw error
    }
    const entries = grouped
    grouped = undefined
    if (entries.length > 0) commit(entries)
  }
  return { table, group, close: () => log?.close() }
}
