/** The part of fengari (a Lua 5.3 virtual machine in JavaScript) that the script runtime uses. */
declare module 'fengari' {
  export type LuaString = Uint8Array
  export type LuaState = { readonly luaState: unique symbol }
  export type LuaFunction = (L: LuaState) => number

  export const lua: {
    LUA_OK: number
    LUA_MASKCOUNT: number
    LUA_REGISTRYINDEX: number
    LUA_RIDX_GLOBALS: number
    LUA_TNIL: number
    LUA_TBOOLEAN: number
    LUA_TLIGHTUSERDATA: number
    LUA_TNUMBER: number
    LUA_TSTRING: number
    LUA_TTABLE: number
    lua_absindex: (L: LuaState, index: number) => number
    lua_atnativeerror: (L: LuaState, handler: LuaFunction) => void
    lua_checkstack: (L: LuaState, slots: number) => boolean
    lua_createtable: (L: LuaState, items: number, fields: number) => void
    lua_error: (L: LuaState) => number
    lua_gettop: (L: LuaState) => number
    lua_next: (L: LuaState, index: number) => number
    lua_pcall: (L: LuaState, args: number, results: number, handlerIndex: number) => number
    lua_pop: (L: LuaState, count: number) => void
    lua_pushboolean: (L: LuaState, value: boolean) => void
    lua_pushjsfunction: (L: LuaState, fn: LuaFunction) => void
    lua_pushlightuserdata: (L: LuaState, value: unknown) => void
    lua_pushnil: (L: LuaState) => void
    lua_pushnumber: (L: LuaState, value: number) => void
    lua_pushstring: (L: LuaState, text: LuaString) => void
    lua_rawget: (L: LuaState, index: number) => number
    lua_rawgeti: (L: LuaState, index: number, item: number) => number
    lua_rawlen: (L: LuaState, index: number) => number
    lua_rawset: (L: LuaState, index: number) => void
    lua_rawseti: (L: LuaState, index: number, item: number) => void
    lua_sethook: (L: LuaState, hook: (L: LuaState) => void, mask: number, count: number) => void
    lua_settop: (L: LuaState, top: number) => void
    lua_toboolean: (L: LuaState, index: number) => boolean
    lua_tonumber: (L: LuaState, index: number) => number
    lua_tostring: (L: LuaState, index: number) => LuaString | null
    lua_touserdata: (L: LuaState, index: number) => unknown
    lua_type: (L: LuaState, index: number) => number
  }

  export const lauxlib: {
    luaL_error: (L: LuaState, format: LuaString, ...args: LuaString[]) => number
    luaL_loadbuffer: (L: LuaState, source: LuaString, size: number, chunkName: LuaString) => number
    luaL_newstate: () => LuaState
    luaL_ref: (L: LuaState, table: number) => number
    luaL_requiref: (L: LuaState, name: LuaString, open: LuaFunction, global: boolean) => void
    luaL_tolstring: (L: LuaState, index: number) => LuaString
    luaL_unref: (L: LuaState, table: number, ref: number) => void
  }

  export const lualib: {
    luaopen_base: LuaFunction
    luaopen_coroutine: LuaFunction
    luaopen_debug: LuaFunction
    luaopen_math: LuaFunction
    luaopen_string: LuaFunction
    luaopen_table: LuaFunction
  }
}
