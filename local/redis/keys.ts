import { OK, type Reply } from './backend.ts'
import { type CommandTable, integer, reads, SYNTAX_ERROR, writes } from './command.ts'
import { glob } from './glob.ts'
import { clear, find, type Keyspace, liveKeys, RedisError, remove, scanFrom, store } from './keyspace.ts'

const countWhere = (keys: string[], test: (key: string) => boolean): number => keys.filter(test).length

const rename = (db: Keyspace, from: string, to: string): void => {
  const entry = find(db, from)
  if (entry === undefined) throw new RedisError('ERR no such key')
  remove(db, from)
  store(db, to, entry, entry.expiresAt)
}

type ScanOptions = { match: (key: string) => boolean; count: number; type: string | undefined }

/** MATCH, COUNT and (for SCAN) TYPE, in any order. */
export const parseScanOptions = (args: string[]): ScanOptions => {
  const options: ScanOptions = { match: () => true, count: 10, type: undefined }
  for (let i = 0; i < args.length; i += 2) {
    const [option, value] = [(args[i] ?? '').toUpperCase(), args[i + 1]]
    if (value === undefined) throw new RedisError(SYNTAX_ERROR)
    if (option === 'MATCH') options.match = glob(value)
    else if (option === 'COUNT') options.count = integer(value)
    else if (option === 'TYPE') options.type = value.toLowerCase()
    else throw new RedisError(SYNTAX_ERROR)
  }
  if (options.count < 1) throw new RedisError(SYNTAX_ERROR)
  return options
}

const scan = (db: Keyspace, [cursor = '', ...rest]: string[]): Reply => {
  if (!/^\d{1,15}$/.test(cursor)) throw new RedisError('ERR invalid cursor')
  const options = parseScanOptions(rest)
  const step = scanFrom(db, Number(cursor), options.count)
  const ofType = (key: string) => options.type === undefined || find(db, key)?.type === options.type
  return [String(step.cursor), step.keys.filter((key) => options.match(key) && ofType(key))]
}

const time = (db: Keyspace): Reply => {
  const now = db.now()
  return [String(Math.floor(now / 1000)), String(Math.floor((now % 1000) * 1000))]
}

const flush = writes(-1, (db, [mode, ...rest]) => {
  if (rest.length > 0 || (mode !== undefined && !/^(a?sync)$/i.test(mode))) throw new RedisError(SYNTAX_ERROR)
  clear(db)
  return OK
})

const del = writes(-2, (db, keys) => countWhere(keys, (key) => remove(db, key)))
const exists = reads(-2, (db, keys) => countWhere(keys, (key) => find(db, key) !== undefined))

/** Commands on keys of any type, and on the server itself. */
export const keyCommands: CommandTable = {
  DEL: del,
  UNLINK: del,
  EXISTS: exists,
  TOUCH: exists,
  TYPE: reads(2, (db, [key = '']) => ({ status: find(db, key)?.type ?? 'none' })),
  RENAME: writes(3, (db, [from = '', to = '']) => {
    rename(db, from, to)
    return OK
  }),
  RENAMENX: writes(3, (db, [from = '', to = '']) => {
    if (find(db, from) !== undefined && find(db, to) !== undefined) return 0
    rename(db, from, to)
    return 1
  }),
  KEYS: reads(2, (db, [pattern = '']) => liveKeys(db).filter(glob(pattern))),
  SCAN: reads(-2, scan),
  RANDOMKEY: reads(1, (db) => {
    const keys = liveKeys(db)
    return keys[Math.floor(Math.random() * keys.length)] ?? null
  }),
  DBSIZE: reads(1, (db) => liveKeys(db).length),
  FLUSHALL: flush,
  FLUSHDB: flush,
  TIME: reads(1, time),
  PING: reads(-1, (_db, [message, ...rest]) => {
    if (rest.length > 0) throw new RedisError("ERR wrong number of arguments for 'ping' command")
    return message ?? { status: 'PONG' }
  }),
  ECHO: reads(2, (_db, [message = '']) => message),
}
