import type { RedisBackend } from './backend.ts'
import { createReader } from './commands.ts'
import { connectRedis } from './connection.ts'

/** Redis refuses Upstash's flags in the script's first line (`#!lua flags=…`), so the script runs without that line. */
const withoutShebang = (source: string): string => source.replace(/^#![^\n]*/, '')

/**
 * A store kept by a real Redis at `url` (redis://...), over one pipelined connection, which takes the same commands as the
 * one in memory. Throws on another scheme.
 */
export const createRedisStore = (url: string): RedisBackend => {
  const connection = connectRedis(url)
  const read = createReader()
  let script = ''
  return {
    run: async (command) => {
      const order = read(command)
      if ('error' in order) return order
      if (order.kind === 'command') return await connection.send([order.name, ...order.args])
      if (order.source !== undefined) script = withoutShebang(order.source)
      return await connection.send(['EVAL', script, order.keys.length, ...order.keys, ...order.args])
    },
    close: connection.close,
  }
}
