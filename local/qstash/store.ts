import { appendFileSync, closeSync, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { DamagedFile, makeFolder, textIn } from '../damaged-file.ts'

type Entry = ['put', string, string, object] | ['remove', string, string]

/** The kinds of rows of each table. */
type Shapes = Readonly<Record<string, z.ZodType>>

type Table<T extends object> = {
  get: (id: string) => T | undefined
  values: () => T[]
  /** The oldest row that is still in the table. */
  oldest: () => T | undefined
  put: (id: string, value: T) => void
  remove: (id: string) => void
}

type Journal = {
  /** One of the tables that the journal was opened with. */
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

/** First line of a file that was written at once: the number of entries that it then had. */
const Counted = z.tuple([z.literal('entries'), z.int().nonnegative()])

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

const isEntry = (value: unknown, shapes: Shapes): value is Entry => {
  if (!Array.isArray(value) || typeof value[1] !== 'string' || typeof value[2] !== 'string') return false
  const [op, name, , row] = value as unknown[]
  const shape = Object.hasOwn(shapes, name as string) ? shapes[name as string] : undefined
  if (op === 'remove') return shape !== undefined && value.length === 3
  return op === 'put' && shape?.safeParse(row).success === true
}

/** Returns in words what can still be read of a line that was cut off. */
const tornOf = (line: string): string => {
  const [, op, name, id] = /^\["(put|remove)","(\w+)","([^"]*)"/.exec(line) ?? []
  const [, url] = /"url":"([^"]*)"/.exec(line) ?? []
  if (op === 'remove') return `that ${id} of ${name} is done with`
  return op === 'put' ? `${id} of ${name}${url ? `, for ${url}` : ''}` : `only ${JSON.stringify(line.slice(0, 40))}`
}

const cutOff = (line: string): string =>
  `The last line was cut off while it was written, before anybody was told that it is on file, so it is left out: ${tornOf(line)}.`

const uncounted = (entries: number): string =>
  `It does not say how many entries it had: an earlier release wrote it, or it was cut. The ${entries} in it are taken.`

type Loaded = { tables: Tables; notice?: string }

/**
 * Reads a file. A cut last line among the appended ones is left out. Throws a DamagedFile for any other damage.
 *
 * The process ended while it wrote that line, so no caller was told that the change was stored.
 */
const load = (file: string, shapes: Shapes): Loaded => {
  const tables: Tables = new Map()
  const text = textIn(file)
  if (text === undefined) return { tables }
  const [head = '', ...rest] = text.split('\n')
  const counted = Counted.safeParse(jsonOf(head)).data?.[1]
  const lines = counted === undefined ? [head, ...rest] : rest
  const first = counted === undefined ? 1 : 2
  // A file whose last line is complete ends with a line break, unless an editor removed it.
  if (isEntry(jsonOf(lines.at(-1) ?? ''), shapes)) lines.push('')
  const torn = lines.pop() ?? ''
  if (counted === undefined && lines.length === 0 && torn !== '')
    throw new DamagedFile(file, 'its first line is cut off')
  if (counted !== undefined && lines.length < counted)
    throw new DamagedFile(file, `of the ${counted} entries it had ${lines.length} are there`)
  for (const [at, line] of lines.entries()) {
    const entry = jsonOf(line)
    if (!isEntry(entry, shapes)) throw new DamagedFile(file, `line ${at + first} is not an entry`)
    apply(tables, entry)
  }
  if (torn !== '') return { tables, notice: cutOff(torn) }
  return counted === undefined ? { tables, notice: uncounted(lines.length) } : { tables }
}

const snapshot = (tables: Tables): string => {
  const lines: string[] = []
  for (const [name, rows] of tables)
    for (const [id, value] of rows) lines.push(JSON.stringify(['put', name, id, value]))
  return [JSON.stringify(['entries', lines.length]), ...lines].map((line) => `${line}\n`).join('')
}

type Log = { append: (entries: Entry[]) => void; close: () => void }

/**
 * Opens the file for appending. A killed process loses nothing: write(2) returns before the caller goes on, and the
 * page cache survives.
 *
 * A power failure may lose the last entries, as it may lose rows of the embedded database.
 */
const openLog = (dir: string, file: string, tables: Tables): Log => {
  let descriptor = -1
  let size = 0
  const compact = (): void => {
    const text = snapshot(tables)
    rmSync(`${file}.tmp`, { force: true })
    const written = openSync(`${file}.tmp`, 'a')
    try {
      appendFileSync(written, text)
      renameSync(`${file}.tmp`, file)
    } catch (error) {
      closeSync(written)
      throw error
    }
    if (descriptor !== -1) closeSync(descriptor)
    descriptor = written
    size = Buffer.byteLength(text)
  }
  makeFolder(dir)
  compact()
  let compactAt = Math.max(compactAboveBytes, size * 2)
  return {
    append: (entries) => {
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      if (size > compactAt) {
        compact()
        compactAt = Math.max(compactAboveBytes, size * 2)
      }
      try {
        appendFileSync(descriptor, text)
      } catch (error) {
        // A full disk may have stored a part of the line. It is cut off, so that the next entry does not follow it.
        ftruncateSync(descriptor, size)
        throw error
      }
      size += Buffer.byteLength(text)
    },
    close: () => {
      try {
        // Then a later start knows how many entries there were. If this fails, the file is still complete.
        compact()
      } catch {}
      closeSync(descriptor)
      descriptor = -1
    },
  }
}

type JournalOptions = {
  /** Absent: in memory only. */
  dir?: string | undefined
  tables: Shapes
  /** Called with a sentence if the file is not as the last run left it. */
  say?: ((notice: string) => void) | undefined
}

/**
 * Opens named tables in memory and, with `dir`, in a file of appended JSON lines there. The file is compacted at start
 * and end.
 *
 * A change is on file before the call that makes it returns. If it cannot be written, the call throws and nothing
 * changes.
 */
const openJournal = ({ dir, tables: shapes, say }: JournalOptions): Journal => {
  const file = dir === undefined ? '' : join(dir, 'qstash.jsonl')
  const { tables, notice }: Loaded = dir === undefined ? { tables: new Map() } : load(file, shapes)
  if (notice) say?.(`${file}: ${notice}`)
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

const MessageShape = z.object({
  messageId: z.string(),
  url: z.string().refine((url) => URL.canParse(url)),
  /** Headers for the endpoint besides our own; lower-case names. */
  headers: z.record(z.string(), z.string()),
  /** Base64, so that binary bodies survive the journal. */
  body: z.base64(),
  /** Time of the next attempt here, scaled (ms). */
  dueAt: z.number(),
  retried: z.number(),
  maxRetries: z.number(),
  callerIp: z.string(),
})

export type Message = z.infer<typeof MessageShape>

const DeduplicationShape = z.object({ key: z.string(), messageId: z.string(), expiresAt: z.number() })

type Deduplication = z.infer<typeof DeduplicationShape>

export type Store = {
  messages: Table<Message>
  deduplications: Table<Deduplication>
  group: Journal['group']
  close: () => void
}

/** Opens the tables of the service: in a journal below `dir`, or else in memory. */
export const openStore = (place: Pick<JournalOptions, 'dir' | 'say'>): Store => {
  const journal = openJournal({ ...place, tables: { messages: MessageShape, deduplications: DeduplicationShape } })
  return {
    messages: journal.table<Message>('messages'),
    deduplications: journal.table<Deduplication>('deduplications'),
    group: journal.group,
    close: journal.close,
  }
}
