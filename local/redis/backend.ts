/** A Redis status line such as OK or PONG, kept apart from a stored string because it is encoded differently. */
export type StatusReply = { status: string }

/** A refused command: the text of the error line, code first ("WRONGTYPE Operation ..."). */
export type ErrorReply = { error: string }

/** What a command answers. Strings are byte strings: one character (U+0000 to U+00FF) per byte, see toBytes and toText. */
export type Reply = null | number | string | StatusReply | ErrorReply | Reply[]

/** A command and its arguments; strings are byte strings. */
export type Command = readonly (string | number)[]

export type RedisBackend = {
  /** Runs one command. A refused command resolves to an ErrorReply; rejects only when the store cannot be reached. */
  run: (command: Command) => Promise<Reply>
  /** Runs all commands with nothing in between; one ErrorReply when a malformed command discards the transaction. */
  multi: (commands: readonly Command[]) => Promise<Reply[] | ErrorReply>
  /** Saves what is to be kept and releases timers and sockets; may be called twice. */
  close: () => Promise<void>
}

export const OK: StatusReply = { status: 'OK' }

/** True when the reply is a refusal. */
export const isError = (reply: Reply): reply is ErrorReply =>
  typeof reply === 'object' && reply !== null && 'error' in reply

/** True when the reply is a status line. */
export const isStatus = (reply: Reply): reply is StatusReply =>
  typeof reply === 'object' && reply !== null && 'status' in reply

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is the whole of ASCII
const ASCII = /^[\x00-\x7f]*$/

/** Text to a byte string holding its UTF-8 encoding. */
export const toBytes = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')

/** A byte string to the text it encodes in UTF-8; invalid sequences become U+FFFD. */
export const toText = (bytes: string): string =>
  ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')
