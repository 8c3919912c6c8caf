import type { Command, ErrorReply, Reply } from './backend.ts'
import type { CommandSpec } from './command.ts'
import { expiryCommands } from './expiry.ts'
import { hashCommands } from './hashes.ts'
import { keyCommands } from './keys.ts'
import { type Keyspace, RedisError } from './keyspace.ts'
import { listCommands } from './lists.ts'
import { createLuaRuntime } from './lua.ts'
import { scriptCommands } from './scripting.ts'
import { setCommands } from './sets.ts'
import { stringCommands } from './strings.ts'
import { zsetRangeCommands } from './zset-ranges.ts'
import { zsetCommands } from './zsets.ts'

export type Dispatcher = {
  /** Runs a command to its end; refusals and failures come back as an ErrorReply, nothing is thrown. */
  execute: (command: Command) => Reply
  /** The refusal a command meets before it runs (unknown name, wrong number of arguments), or undefined. */
  refusal: (command: Command) => ErrorReply | undefined
}

const arityHolds = (spec: CommandSpec, length: number): boolean =>
  spec.arity < 0 ? length >= -spec.arity : length === spec.arity

const unknown = ([name = '', ...args]: string[]): ErrorReply => ({
  error: `ERR unknown command '${name}', with args beginning with: ${args.map((arg) => `'${arg}' `).join('')}`,
})

const invoke = (db: Keyspace, spec: CommandSpec, args: string[]): Reply => {
  try {
    const reply = spec.handler(db, args)
    if (spec.write) db.changes += 1
    return reply
  } catch (error) {
    return { error: error instanceof RedisError ? error.message : `ERR internal error: ${String(error)}` }
  }
}

/** Every command of the in-memory store over one keyspace. */
export const createDispatcher = (db: Keyspace): Dispatcher => {
  const table = new Map<string, CommandSpec>()
  const specOf = (command: Command) => table.get(String(command[0] ?? '').toUpperCase())

  const callFromScript = (command: string[]): Reply => {
    const spec = specOf(command)
    if (spec === undefined) return { error: 'ERR Unknown Redis command called from script' }
    if (!arityHolds(spec, command.length)) {
      return { error: 'ERR Wrong number of args calling Redis command from script' }
    }
    if (!spec.inScripts) return { error: 'ERR This Redis command is not allowed from script' }
    return invoke(db, spec, command.slice(1))
  }

  const tables = [
    stringCommands,
    keyCommands,
    expiryCommands,
    hashCommands,
    setCommands,
    zsetCommands,
    zsetRangeCommands,
    listCommands,
    scriptCommands(createLuaRuntime(callFromScript)),
  ]
  for (const [name, spec] of tables.flatMap((each) => Object.entries(each))) table.set(name, spec)

  const refusal = (command: Command): ErrorReply | undefined => {
    const spec = specOf(command)
    if (spec === undefined) return unknown(command.map(String))
    if (arityHolds(spec, command.length)) return undefined
    return { error: `ERR wrong number of arguments for '${String(command[0]).toLowerCase()}' command` }
  }

  const execute = (command: Command): Reply => {
    const spec = specOf(command)
    if (spec === undefined || !arityHolds(spec, command.length)) return refusal(command) ?? null
    return invoke(db, spec, command.slice(1).map(String))
  }

  return { execute, refusal }
}
