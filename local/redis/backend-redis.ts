import { createClient, ErrorReply } from '@redis/client'
import type { Command, RedisBackend, Reply } from './backend.ts'
import { createReader } from './commands.ts'

/** Redis refuses Upstash's flags in the script's first line (`#!lua flags=…`), so the script runs without that line. */
const withoutShebang = (source: string): string => source.replace(/^#![^\n]*/, '')

/**
 * Creates a store kept by a real Redis at `url` (redis://...), over one pipelined connection, which takes the same commands as the
 * one in memory. A connection that is lost is opened again by the next command. Throws on another scheme.
 */
export const createRedisStore = (url: string): RedisBackend => {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } })
  // Each command that is lost with the connection rejects by itself.
  client.on('error', () => undefined)
  let connecting: Promise<unknown> | undefined
  const send = async (command: Command): Promise<Reply> => {
    if (!client.isOpen) connecting = client.connect()
    await connecting
    return await client.sendCommand<Reply>(command.map(String)).catch((error: unknown) => {
      if (error instanceof ErrorReply) return { error: error.message }
      throw error
    })
  }
  const read = createReader()
  let script = ''
  return {
    run: async (command) => {
      const order = read(command)
      if ('error' in order) return order
      if (order.kind === 'command') return await send([order.name, ...order.args])
      if (order.source !== undefined) script = withoutShebang(order.source)
      return await send(['EVAL', script, order.keys.length, ...order.keys, ...order.args])
    },
    close: async () => {
      if (client.isOpen) client.destroy()
    },
  }
}
