import type { LuaFunction, LuaState } from 'fengari'
import { isError, type Reply } from './backend.ts'
import { RedisError } from './keyspace.ts'
import { pushCjson } from './lua-cjson.ts'
import { PRELUDE } from './lua-prelude.ts'
import { pushReply, pushStrings, readField, readReply, readText } from './lua-values.ts'
import { createLuaState, fromLua, lauxlib, lua, raise, setGlobal, toLua } from './lua-vm.ts'
import { sha1, withoutShebang } from './script-source.ts'

/** Runs a command for redis.call; a refusal comes back as an ErrorReply. */
export type ScriptCall = (command: string[]) => Reply

export type LuaRuntime = {
  /** Compiles a script (once) and answers its SHA-1; throws a RedisError when it does not compile. */
  load: (source: string) => string
  has: (sha: string) => boolean
  /** Runs a loaded script; its own errors come back as an ErrorReply, an unknown SHA-1 as NOSCRIPT. */
  run: (sha: string, keys: readonly string[], args: readonly string[]) => Reply
  flush: () => void
}

/** Longer than any sane script; without it an endless loop would stop the whole process. */
const MAX_RUN_MS = 5000
const HOOK_EVERY_INSTRUCTIONS = 100_000

const errorText = (L: LuaState): string => fromLua(lauxlib.luaL_tolstring(L, -1))

const readArguments = (L: LuaState): string[] | undefined => {
  const args: string[] = []
  const count = lua.lua_gettop(L)
  if (count === 0) return undefined
  for (let i = 1; i <= count; i += 1) {
    const text = readText(L, i)
    if (text === undefined) return undefined
    args.push(text)
  }
  return args
}

const badArguments = (L: LuaState): Reply => ({
  error:
    lua.lua_gettop(L) === 0
      ? 'ERR Please specify at least one argument for this redis lib call'
      : 'ERR Lua redis lib command arguments must be strings or integers',
})

const callFunction =
  (call: ScriptCall, raises: boolean): LuaFunction =>
  (L) => {
    const args = readArguments(L)
    const reply = args === undefined ? badArguments(L) : call(args)
    pushReply(L, reply)
    return raises && isError(reply) ? lua.lua_error(L) : 1
  }

const sha1hex: LuaFunction = (L) => {
  const text = readText(L, 1)
  if (text === undefined) return raise(L, 'wrong number of arguments')
  lua.lua_pushstring(L, toLua(sha1(text)))
  return 1
}

const pushRedis = (L: LuaState, call: ScriptCall): void => {
  const members = { call: callFunction(call, true), pcall: callFunction(call, false), sha1hex }
  lua.lua_createtable(L, 0, 0)
  for (const [name, fn] of Object.entries(members)) {
    lua.lua_pushstring(L, toLua(name))
    lua.lua_pushjsfunction(L, fn)
    lua.lua_rawset(L, -3)
  }
}

const compile = (L: LuaState, source: string, name: string): number => {
  const bytes = toLua(source)
  if (lauxlib.luaL_loadbuffer(L, bytes, bytes.length, toLua(name)) !== lua.LUA_OK) {
    throw new RedisError(`ERR Error compiling script (new function): ${errorText(L)}`)
  }
  return lauxlib.luaL_ref(L, lua.LUA_REGISTRYINDEX)
}

/** Runs the prelude and keeps the error handler it answers. */
const installPrelude = (L: LuaState, call: ScriptCall): number => {
  setGlobal(L, 'redis', () => pushRedis(L, call))
  setGlobal(L, 'cjson', () => pushCjson(L))
  lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, compile(L, PRELUDE, '@prelude'))
  if (lua.lua_pcall(L, 0, 1, 0) !== lua.LUA_OK) throw new Error(errorText(L))
  return lauxlib.luaL_ref(L, lua.LUA_REGISTRYINDEX)
}

const limitRunTime = (L: LuaState): void => {
  const deadline = performance.now() + MAX_RUN_MS
  const check = (state: LuaState): void => {
    if (performance.now() <= deadline) return
    // A script may catch the error and go on: from here on every instruction fails, in its coroutines too.
    for (const thread of [L, state]) lua.lua_sethook(thread, check, lua.LUA_MASKCOUNT, 1)
    raise(state, `Script killed: it ran for more than ${MAX_RUN_MS} ms`)
  }
  lua.lua_sethook(L, check, lua.LUA_MASKCOUNT, HOOK_EVERY_INSTRUCTIONS)
}

/** The error table on top of the stack in Redis 7's words, with the script and the line. */
const failure = (L: LuaState, sha: string): Reply => {
  if (lua.lua_type(L, -1) !== lua.LUA_TTABLE) return { error: `ERR ${errorText(L)}` }
  const text = readField(L, -1, 'err') ?? 'ERR unknown error'
  const line = readField(L, -1, 'line')
  return { error: line === undefined ? text : `${text} script: ${sha}, on ${readField(L, -1, 'source')}:${line}.` }
}

/** A Lua runtime for EVAL: scripts compiled once, keyed by SHA-1, run one at a time against `call`. */
export const createLuaRuntime = (call: ScriptCall): LuaRuntime => {
  const L = createLuaState()
  const handler = installPrelude(L, call)
  const chunks = new Map<string, number>()

  const run: LuaRuntime['run'] = (sha, keys, args) => {
    const chunk = chunks.get(sha)
    if (chunk === undefined) return { error: 'NOSCRIPT No matching script. Please use EVAL.' }
    lua.lua_settop(L, 0)
    setGlobal(L, 'KEYS', () => pushStrings(L, keys))
    setGlobal(L, 'ARGV', () => pushStrings(L, args))
    lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, handler)
    lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, chunk)
    limitRunTime(L)
    const status = lua.lua_pcall(L, 0, 1, 1)
    const reply = status === lua.LUA_OK ? readReply(L, -1) : failure(L, sha)
    lua.lua_settop(L, 0)
    return reply
  }

  const load: LuaRuntime['load'] = (source) => {
    const sha = sha1(source)
    if (!chunks.has(sha)) chunks.set(sha, compile(L, withoutShebang(source), '@user_script'))
    return sha
  }

  const flush = (): void => {
    for (const chunk of chunks.values()) lauxlib.luaL_unref(L, lua.LUA_REGISTRYINDEX, chunk)
    chunks.clear()
  }

  return { load, has: (sha) => chunks.has(sha), run, flush }
}
