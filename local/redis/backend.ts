/** A Redis status line such as OK or PONG. */
export type StatusReply = { status: string }

/** A refused command: the text of the error line, code first ("WRONGTYPE Operation ..."). */
export type ErrorReply = { error: string }

/** Reply to a command. A list has the replies of its elements. */
export type Reply = null | number | string | StatusReply | ErrorReply | Reply[]

/** A command and its arguments. */
export type Command = readonly (string | number)[]

export type RedisBackend = {
  /** Runs one command. A refused command resolves to an ErrorReply; rejects only if the store cannot be reached. */
  run: (command: Command) => Promise<Reply>
  /** Releases timers and sockets; may be called twice. */
  close: () => Promise<void>
}

/** True if the reply is a refusal. */
export const isError = (reply: Reply): reply is ErrorReply =>
  typeof reply === 'object' && reply !== null && 'error' in reply

/** True if the reply is a status line. */
export const isStatus = (reply: Reply): reply is StatusReply =>
  typeof reply === 'object' && reply !== null && 'status' in reply
