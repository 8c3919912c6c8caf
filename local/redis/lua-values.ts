import type { LuaState } from 'fengari'
import { isError, isStatus, type Reply } from './backend.ts'
import { fromLua, lua, toLua } from './lua-vm.ts'

const MAX_DEPTH = 100

/** Pushes an array table of strings. */
export const pushStrings = (L: LuaState, items: readonly string[]): void => {
  lua.lua_createtable(L, items.length, 0)
  items.forEach((item, i) => {
    lua.lua_pushstring(L, toLua(item))
    lua.lua_rawseti(L, -2, i + 1)
  })
}

const pushField = (L: LuaState, name: string, text: string): void => {
  lua.lua_createtable(L, 0, 1)
  lua.lua_pushstring(L, toLua(name))
  lua.lua_pushstring(L, toLua(text))
  lua.lua_rawset(L, -3)
}

/** Pushes a reply as redis.call answers it: null is false, a status {ok=}, a refusal {err=}. */
export const pushReply = (L: LuaState, reply: Reply): void => {
  lua.lua_checkstack(L, 4)
  if (reply === null) lua.lua_pushboolean(L, false)
  else if (typeof reply === 'number') lua.lua_pushnumber(L, reply)
  else if (typeof reply === 'string') lua.lua_pushstring(L, toLua(reply))
  else if (isError(reply)) pushField(L, 'err', reply.error)
  else if (isStatus(reply)) pushField(L, 'ok', reply.status)
  else {
    lua.lua_createtable(L, reply.length, 0)
    reply.forEach((item, i) => {
      pushReply(L, item)
      lua.lua_rawseti(L, -2, i + 1)
    })
  }
}

/** The text of a string or number at an index; undefined for anything else. */
export const readText = (L: LuaState, index: number): string | undefined => {
  const type = lua.lua_type(L, index)
  if (type === lua.LUA_TNUMBER) return String(lua.lua_tonumber(L, index))
  if (type !== lua.LUA_TSTRING) return undefined
  const text = lua.lua_tostring(L, index)
  return text === null ? undefined : fromLua(text)
}

/** A text field of the table at an index, undefined when absent. */
export const readField = (L: LuaState, index: number, name: string): string | undefined => {
  const table = lua.lua_absindex(L, index)
  lua.lua_pushstring(L, toLua(name))
  lua.lua_rawget(L, table)
  const text = readText(L, -1)
  lua.lua_pop(L, 1)
  return text
}

const readTable = (L: LuaState, table: number, depth: number): Reply => {
  const error = readField(L, table, 'err')
  if (error !== undefined) return { error }
  const status = readField(L, table, 'ok')
  if (status !== undefined) return { status }
  const items: Reply[] = []
  for (let i = 1; ; i += 1) {
    const type = lua.lua_rawgeti(L, table, i)
    const item = type === lua.LUA_TNIL ? undefined : readReply(L, -1, depth + 1)
    lua.lua_pop(L, 1)
    if (item === undefined) return items
    items.push(item)
  }
}

/** The value at an index as a script's result: numbers truncated, true is 1, false and nil null, arrays end at nil. */
export const readReply = (L: LuaState, index: number, depth = 0): Reply => {
  const type = lua.lua_type(L, index)
  if (type === lua.LUA_TNUMBER) return Math.trunc(lua.lua_tonumber(L, index)) + 0
  if (type === lua.LUA_TSTRING) return readText(L, index) ?? null
  if (type === lua.LUA_TBOOLEAN) return lua.lua_toboolean(L, index) ? 1 : null
  if (type !== lua.LUA_TTABLE) return null
  if (depth >= MAX_DEPTH) return { error: 'ERR reached lua stack limit' }
  lua.lua_checkstack(L, 4)
  return readTable(L, lua.lua_absindex(L, index), depth)
}
