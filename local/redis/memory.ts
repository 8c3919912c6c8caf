import type { RedisBackend, Reply } from './backend.ts'
import { createReader, type Order, slidingWindow } from './commands.ts'

type Entry = { value: string | Map<string, string>; expiresAt: number }

const OK = { status: 'OK' }
const SYNTAX = { error: 'ERR syntax error' }
const WRONG_TYPE = { error: 'WRONGTYPE Operation against a key holding the wrong kind of value' }
const NO_HASH_NUMBER = { error: 'ERR hash value is not an integer' }
const NOT_AN_INTEGER = { error: 'ERR value is not an integer or out of range' }
/** Number of new keys after which expired ones, such as past windows, are removed. */
const SWEEP_EVERY = 1_000

type Store = { entries: Map<string, Entry>; now: () => number; sweepAt: number }

const held = ({ entries, now }: Store, key: string): Entry['value'] | undefined => {
  const entry = entries.get(key)
  if (entry === undefined || entry.expiresAt > now()) return entry?.value
  entries.delete(key)
  return undefined
}

/** Returns the text under a key; undefined if there is none, or a hash, which no command here reads as text. */
const get = (store: Store, key: string): string | undefined => {
  const value = held(store, key)
  return typeof value === 'string' ? value : undefined
}

const put = (store: Store, key: string, value: Entry['value'], expiresAt = Number.POSITIVE_INFINITY): void => {
  store.entries.set(key, { value, expiresAt })
  if (store.entries.size < store.sweepAt) return
  for (const name of [...store.entries.keys()]) held(store, name)
  store.sweepAt = store.entries.size + SWEEP_EVERY
}

const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined

const UNIT_MS: Record<string, number> = { EX: 1_000, PX: 1 }

/** Runs SET key value [NX] [EX s | PX ms], each option once and in either case. */
const set = (store: Store, [key = '', value = '', ...options]: string[]): Reply => {
  let onlyNew = false
  let expiresAt: number | undefined
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at]?.toUpperCase() ?? ''
    const unitMs = UNIT_MS[option]
    if (option === 'NX' && !onlyNew) onlyNew = true
    else if (unitMs !== undefined && expiresAt === undefined && at + 1 < options.length) {
      at += 1
      const amount = integer(options[at])
      if (amount === undefined) return NOT_AN_INTEGER
      if (amount <= 0) return { error: "ERR invalid expire time in 'set' command" }
      expiresAt = store.now() + amount * unitMs
    } else return SYNTAX
  }
  if (onlyNew && held(store, key) !== undefined) return null
  put(store, key, value, expiresAt)
  return OK
}

const expire = (store: Store, [key = '', seconds]: string[]): Reply => {
  const amount = integer(seconds)
  if (amount === undefined) return NOT_AN_INTEGER
  const value = held(store, key)
  if (value === undefined) return 0
  put(store, key, value, store.now() + amount * 1_000)
  return 1
}

const remainingMs = (store: Store, key: string): number => {
  if (held(store, key) === undefined) return -2
  const { expiresAt } = store.entries.get(key) ?? { expiresAt: Number.POSITIVE_INFINITY }
  return expiresAt === Number.POSITIVE_INFINITY ? -1 : expiresAt - store.now()
}

/** Runs HGET key field, or HINCRBY key field amount. */
const inHash = (store: Store, name: 'HGET' | 'HINCRBY', [key = '', field = '', amount]: string[]): Reply => {
  const by = integer(amount)
  if (name === 'HINCRBY' && by === undefined) return NOT_AN_INTEGER
  const hash = held(store, key) ?? new Map<string, string>()
  if (typeof hash === 'string') return WRONG_TYPE
  if (name === 'HGET') return hash.get(field) ?? null
  const before = integer(hash.get(field) ?? '0')
  if (before === undefined) return NO_HASH_NUMBER
  const sum = before + (by ?? 0)
  hash.set(field, String(sum))
  put(store, key, hash, store.entries.get(key)?.expiresAt)
  return sum
}

const perform = (store: Store, order: Order): Reply => {
  if (order.kind === 'script') {
    const keys = {
      get: (key: string) => get(store, key),
      incrBy: (key: string, by: number) => {
        const sum = Number(get(store, key) ?? '0') + by
        put(store, key, String(sum), store.entries.get(key)?.expiresAt)
        return sum
      },
      pExpire: (key: string, ms: number) => put(store, key, get(store, key) ?? '', store.now() + ms),
    }
    return slidingWindow(keys, order.keys, order.args)
  }
  const [key = ''] = order.args
  if (order.name === 'PING') return { status: 'PONG' }
  if (order.name === 'HGET' || order.name === 'HINCRBY') return inHash(store, order.name, order.args)
  if (order.name === 'GET') return held(store, key) instanceof Map ? WRONG_TYPE : (get(store, key) ?? null)
  if (order.name === 'SET') return set(store, order.args)
  if (order.name === 'EXPIRE') return expire(store, order.args)
  if (order.name === 'PTTL') return remainingMs(store, key)
  return order.args.filter((name) => held(store, name) !== undefined && store.entries.delete(name)).length
}

/** Creates a Redis in this process, atomic because it is single-threaded. `now` is its clock in epoch ms. */
export const createMemoryStore = ({ now = Date.now }: { now?: () => number } = {}): RedisBackend => {
  const store: Store = { entries: new Map(), now, sweepAt: SWEEP_EVERY }
  const read = createReader()
  return {
    run: async (command) => {
      const order = read(command)
      return 'error' in order ? order : perform(store, order)
    },
    close: async () => {},
  }
}
