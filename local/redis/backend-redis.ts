import { type Command, type ErrorReply, isError, type RedisBackend, type Reply } from './backend.ts'
import { connectRedis, type RedisConnection } from './connection.ts'
import { sha1, withoutShebang } from './script-source.ts'

/** Commands that would change or stall the connection all callers share. */
const UNAVAILABLE = new Set(
  (
    'SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR MULTI EXEC DISCARD WATCH UNWATCH ' +
    'SELECT QUIT RESET HELLO AUTH CLIENT SYNC PSYNC REPLCONF SHUTDOWN DEBUG WAIT WAITAOF ' +
    'BLPOP BRPOP BLMOVE BLMPOP BRPOPLPUSH BZPOPMIN BZPOPMAX BZMPOP'
  ).split(' '),
)

const nameOf = (command: Command): string => String(command[0] ?? '').toUpperCase()

const refusal = (command: Command): ErrorReply | undefined => {
  const name = nameOf(command)
  const blocks = name.startsWith('XREAD') && command.some((part) => String(part).toUpperCase() === 'BLOCK')
  return UNAVAILABLE.has(name) || blocks ? { error: `ERR Command is not available: '${name}'` } : undefined
}

/** A command as this Redis is to see it, and how its reply reads to the caller. */
type Translation = { command: Command; readReply: (reply: Reply) => Reply }

const unchanged = (reply: Reply): Reply => reply

/** Scripts with a shebang line, keyed by the SHA-1 the caller knows (of the whole text), without that line. */
type Scripts = Map<string, string>

const translateScript = (scripts: Scripts, command: Command): Translation => {
  const [, subcommand = '', ...args] = command.map(String)
  const name = subcommand.toUpperCase()
  const [source = ''] = args
  const stripped = withoutShebang(source)
  if (name === 'FLUSH') scripts.clear()
  if (name === 'LOAD' && stripped !== source) {
    const sha = sha1(source)
    const keep = (reply: Reply): Reply => {
      if (isError(reply)) return reply
      scripts.set(sha, stripped)
      return sha
    }
    return { command: ['SCRIPT', 'LOAD', stripped], readReply: keep }
  }
  if (name !== 'EXISTS') return { command, readReply: unchanged }
  const own = (reply: Reply): Reply =>
    Array.isArray(reply) ? reply.map((known, i) => (scripts.has((args[i] ?? '').toLowerCase()) ? 1 : known)) : reply
  return { command, readReply: own }
}

/**
 * Redis refuses Upstash's shebang flags, so such scripts run without that line and this side remembers them by the
 * SHA-1 of the whole text. They are sent in full each time: Redis caches them itself, and a restart needs no care.
 */
const translate = (scripts: Scripts, command: Command): Translation => {
  const name = nameOf(command)
  if (name === 'SCRIPT') return translateScript(scripts, command)
  const [, script = '', ...rest] = command
  if (name === 'EVAL' || name === 'EVAL_RO') {
    const source = String(script)
    const stripped = withoutShebang(source)
    if (stripped === source) return { command, readReply: unchanged }
    scripts.set(sha1(source), stripped)
    return { command: [name, stripped, ...rest], readReply: unchanged }
  }
  if (name === 'EVALSHA' || name === 'EVALSHA_RO') {
    const known = scripts.get(String(script).toLowerCase())
    if (known !== undefined) return { command: [name.replace('SHA', ''), known, ...rest], readReply: unchanged }
  }
  return { command, readReply: unchanged }
}

const transaction = async (connection: RedisConnection, translations: Translation[]): Promise<Reply[] | ErrorReply> => {
  // Sent in one go: on a connection shared with others nothing may slip between MULTI and EXEC.
  const commands: Command[] = [['MULTI'], ...translations.map(({ command }) => command), ['EXEC']]
  const replies = await Promise.all(commands.map(connection.send))
  const executed = replies.at(-1) ?? null
  if (!Array.isArray(executed)) {
    return replies.find(isError) ?? { error: 'EXECABORT Transaction discarded because of previous errors.' }
  }
  return executed.map((reply, i) => translations[i]?.readReply(reply) ?? reply)
}

/** A store kept by a real Redis at `url` (redis://...), over one pipelined connection. Throws on another scheme. */
export const createRedisStore = (url: string): RedisBackend => {
  const connection = connectRedis(url)
  const scripts: Scripts = new Map()
  return {
    run: async (command) => {
      const refused = refusal(command)
      if (refused !== undefined) return refused
      const translation = translate(scripts, command)
      return translation.readReply(await connection.send(translation.command))
    },
    multi: async (commands) => {
      const refused = commands.map(refusal).find((reply) => reply !== undefined)
      if (refused !== undefined || commands.length === 0) return refused ?? []
      return await transaction(
        connection,
        commands.map((command) => translate(scripts, command)),
      )
    },
    close: connection.close,
  }
}
