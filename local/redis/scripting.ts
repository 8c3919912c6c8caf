import { OK, type Reply } from './backend.ts'
import { type CommandTable, integer, outsideScripts } from './command.ts'
import { RedisError } from './keyspace.ts'
import type { LuaRuntime } from './lua.ts'

const splitKeys = ([count = '', ...rest]: string[]): { keys: string[]; args: string[] } => {
  const keys = integer(count)
  if (keys > rest.length) throw new RedisError("ERR Number of keys can't be greater than number of args")
  if (keys < 0) throw new RedisError("ERR Number of keys can't be negative")
  return { keys: rest.slice(0, keys), args: rest.slice(keys) }
}

const script = (runtime: LuaRuntime, [subcommand = '', ...args]: string[]): Reply => {
  const name = subcommand.toUpperCase()
  const [first, ...others] = args
  if (name === 'LOAD' && first !== undefined && others.length === 0) return runtime.load(first)
  if (name === 'EXISTS' && first !== undefined) return args.map((sha) => (runtime.has(sha.toLowerCase()) ? 1 : 0))
  if (name === 'FLUSH' && others.length === 0) {
    runtime.flush()
    return OK
  }
  throw new RedisError(`ERR unknown subcommand or wrong number of arguments for '${subcommand}'. Try SCRIPT HELP.`)
}

/** Commands that load and run Lua. Writes made by a script are counted by the commands it calls. */
export const scriptCommands = (runtime: LuaRuntime): CommandTable => {
  const evaluates = outsideScripts(-3, (_db, [source = '', ...rest]) => {
    const { keys, args } = splitKeys(rest)
    return runtime.run(runtime.load(source), keys, args)
  })
  const evaluatesBySha = outsideScripts(-3, (_db, [sha = '', ...rest]) => {
    const { keys, args } = splitKeys(rest)
    return runtime.run(sha.toLowerCase(), keys, args)
  })
  return {
    EVAL: evaluates,
    EVALSHA: evaluatesBySha,
    SCRIPT: outsideScripts(-2, (_db, args) => script(runtime, args)),
  }
}
