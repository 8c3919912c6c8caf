import { connect, type Socket } from 'node:net'
import type { Command, Reply } from './backend.ts'
import { isError } from './backend.ts'
import { createReplyParser, encodeCommand } from './resp.ts'

export type RedisConnection = {
  /** Sends a command on the shared connection, in call order; rejects when the connection is lost before the reply. */
  send: (command: Command) => Promise<Reply>
  /** Drops the connection and rejects what is pending. */
  close: () => Promise<void>
}

type Pending = { resolve: (reply: Reply) => void; reject: (error: Error) => void }

type State = {
  socket: Socket | undefined
  ready: boolean
  closed: boolean
  /** Encoded commands waiting for the end of this tick, or for a connection. */
  outbox: string[]
  flushing: boolean
  /** One per command without a reply yet, in order. */
  pending: Pending[]
  backOffMs: number
  retry: NodeJS.Timeout | undefined
}

const FIRST_BACK_OFF_MS = 50
const MAX_BACK_OFF_MS = 1000

type Target = { host: string; port: number; handshake: Command[] }

const targetOf = (url: string): Target => {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  if (protocol !== 'redis:') throw new Error(`REDIS_URL must start with redis://, not ${protocol}//`)
  const handshake: Command[] = []
  const secret = decodeURIComponent(password)
  if (secret !== '') handshake.push(username === '' ? ['AUTH', secret] : ['AUTH', decodeURIComponent(username), secret])
  const database = pathname.slice(1)
  if (database !== '') handshake.push(['SELECT', database])
  // URL keeps the brackets of an IPv6 host; net.connect wants none.
  return { host: hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port || 6379), handshake }
}

/** Hands everything of this tick to the socket in one write. */
const scheduleFlush = (state: State): void => {
  if (!state.ready || state.flushing) return
  state.flushing = true
  setImmediate(() => {
    state.flushing = false
    if (!state.ready || state.outbox.length === 0) return
    state.socket?.write(state.outbox.join(''))
    state.outbox = []
  })
}

const rejectAll = (state: State, reason: Error): void => {
  const abandoned = state.pending
  state.pending = []
  state.outbox = []
  for (const { reject } of abandoned) reject(reason)
}

/** AUTH and SELECT go before anything queued; a refusal ends the connection with Redis' own words. */
const shakeHands = (state: State, socket: Socket, handshake: Command[]): void => {
  const resolve = (reply: Reply): void => {
    if (isError(reply)) socket.destroy(new Error(reply.error))
  }
  state.pending.unshift(...handshake.map(() => ({ resolve, reject: () => undefined })))
  state.outbox.unshift(...handshake.map(encodeCommand))
  state.ready = true
  scheduleFlush(state)
}

const open = (state: State, target: Target): void => {
  const socket = connect({ host: target.host, port: target.port, noDelay: true })
  const parse = createReplyParser()
  let failure: Error | undefined
  state.socket = socket
  socket.on('connect', () => shakeHands(state, socket, target.handshake))
  socket.on('data', (chunk) => {
    try {
      for (const reply of parse(chunk)) state.pending.shift()?.resolve(reply)
      state.backOffMs = FIRST_BACK_OFF_MS
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', () => {
    state.ready = false
    rejectAll(state, new Error(`Redis connection lost${failure === undefined ? '' : `: ${failure.message}`}`))
    if (state.closed) return
    state.retry = setTimeout(() => open(state, target), state.backOffMs)
    state.backOffMs = Math.min(state.backOffMs * 2, MAX_BACK_OFF_MS)
  })
}

const close = async (state: State): Promise<void> => {
  if (state.closed) return
  state.closed = true
  clearTimeout(state.retry)
  rejectAll(state, new Error('Redis connection closed'))
  const { socket } = state
  if (socket === undefined || socket.closed) return
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.destroy()
  await closed
}

/**
 * One pipelined connection to `redis://[user:password@]host[:port][/database]`, reopened after 50 ms to 1 s when lost.
 * Commands sent meanwhile wait for the next attempt and share its outcome.
 */
export const connectRedis = (url: string): RedisConnection => {
  const state: State = {
    socket: undefined,
    ready: false,
    closed: false,
    outbox: [],
    flushing: false,
    pending: [],
    backOffMs: FIRST_BACK_OFF_MS,
    retry: undefined,
  }
  open(state, targetOf(url))
  return {
    send: (command) =>
      new Promise((resolve, reject) => {
        if (state.closed) return reject(new Error('Redis connection closed'))
        state.pending.push({ resolve, reject })
        state.outbox.push(encodeCommand(command))
        scheduleFlush(state)
      }),
    close: () => close(state),
  }
}
