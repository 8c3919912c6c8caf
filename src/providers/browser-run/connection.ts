import { clip, withStop } from '../../platform/lib/text.ts'

/** Returns Browser Run's refusal in its own words. For a 429 they distinguish the daily limit from the limit on concurrent browsers. */
export const refusalOf = async (answer: Response): Promise<string> => {
  const words = clip((await answer.text()).replace(/\s+/g, ' ').trim(), 200)
  return withStop(`Browser Run answered ${answer.status}${words === '' ? '' : `: ${words}`}`)
}

/** The part of a WebSocket that this service uses. */
export type Socket = {
  send: (text: string) => void
  close: () => void
  addEventListener: (type: 'message' | 'close' | 'error', listener: (event: { data?: unknown }) => void) => void
}

type Params = Record<string, unknown>
type Message = {
  id?: number
  method?: string
  params?: Params
  result?: Params
  error?: { message: string }
  sessionId?: string
}

/** An event of the Chrome DevTools Protocol, with the session (page, frame or worker) that it belongs to. */
type BrowserEvent = { method: string; params: Params; session: string | undefined }

/** The Chrome DevTools Protocol over a WebSocket (https://chromedevtools.github.io/devtools-protocol). */
export type Connection = {
  /** Sends a command and returns its result. Rejects with the browser's error message, or if the connection has ended. */
  send: (method: string, params?: Params, session?: string) => Promise<Params>
  /** Sends a command and ignores its result. */
  notify: (method: string, params?: Params, session?: string) => void
  on: (listener: (event: BrowserEvent) => void) => void
  close: () => void
}

/** Returns the protocol over an open WebSocket. */
export const connectionOver = (socket: Socket): Connection => {
  const waiting = new Map<number, { resolve: (value: Params) => void; reject: (error: Error) => void }>()
  const listeners: ((event: BrowserEvent) => void)[] = []
  let last = 0
  let ended = false
  const end = () => {
    ended = true
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended the connection'))
    waiting.clear()
  }
  const receive = ({ id, method, params = {}, result = {}, error, sessionId }: Message) => {
    if (id === undefined) {
      if (method !== undefined) for (const listener of listeners) listener({ method, params, session: sessionId })
      return
    }
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (error) waiter?.reject(new Error(error.message))
    else waiter?.resolve(result)
  }
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as Message))
  socket.addEventListener('close', end)
  socket.addEventListener('error', end)
  const send: Connection['send'] = (method, params = {}, session) => {
    if (ended) return Promise.reject(new Error('the browser has ended the connection'))
    last += 1
    const id = last
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) }))
    })
  }
  return {
    send,
    notify: (method, params, session) => {
      send(method, params, session).catch(() => undefined)
    },
    on: (listener) => {
      listeners.push(listener)
    },
    close: () => {
      end()
      socket.close()
    },
  }
}
