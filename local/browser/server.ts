import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { KEEP_ALIVE_MS } from '../loopback.ts'
import { type Chromium, findChromium, launchChromium, sweepProfiles } from './chromium.ts'
import { standInBrowser } from './stand-in.ts'

export type BrowserOptions = {
  /** Path of a Chromium. If it is undefined, there is no browser; if it is absent, an installed one is used. */
  executable?: string | undefined
  /** Called with a line for the operator. */
  say?: ((line: string) => void) | undefined
}

export type BrowserServer = {
  url: string
  /** True if pictures are real ones. */
  isReal: boolean
  /** Answers this many requests for a browser with 429, as Browser Run does if all browsers are in use. */
  refuseNext: (times: number) => void
  close: () => Promise<void>
}

/** Browsers open at once; one more is refused, as on Browser Run. */
const MOST_OPEN = 3

const PATH = /^\/v1\/devtools\/browser\/([\w-]+)$/

/** Returns the text of a WebSocket request as it arrived, with another path. */
const upgradeFor = ({ rawHeaders }: IncomingMessage, { path, port }: Chromium): string => {
  const headers = rawHeaders
    .flatMap((name, at) => (at % 2 === 0 && !/^(host|origin)$/i.test(name) ? [`${name}: ${rawHeaders[at + 1]}`] : []))
    .join('\r\n')
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n\r\n`
}

/**
 * Starts Cloudflare Browser Run on this machine, with the interface of its binding.
 *
 * `POST /v1/devtools/browser` opens a browser, and a WebSocket to `/v1/devtools/browser/<session>` is its DevTools
 * connection. Each session has its own Chromium, which ends with the connection.
 */
export const startBrowser = async (options: BrowserOptions = {}): Promise<BrowserServer> => {
  const executable = 'executable' in options ? options.executable : findChromium()
  const say = options.say ?? (() => {})
  const sessions = new Map<string, Chromium | 'stand-in'>()
  let [opening, refusals] = [0, 0]

  const acquire = async (): Promise<{ status: number; body: object }> => {
    if (refusals > 0 || sessions.size + opening >= MOST_OPEN) {
      refusals = Math.max(0, refusals - 1)
      return { status: 429, body: { error: 'Unable to create new browser: too many sessions' } }
    }
    opening += 1
    try {
      const sessionId = randomUUID()
      const chromium = executable ? await launchChromium(executable, say) : 'stand-in'
      sessions.set(sessionId, chromium)
      if (chromium !== 'stand-in') void chromium.ended.then(() => sessions.delete(sessionId))
      return { status: 200, body: { sessionId } }
    } finally {
      opening -= 1
    }
  }
  if (executable) void sweepProfiles(say)
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const reply = ({ status, body }: { status: number; body: object }) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (req.method !== 'POST' || !req.url?.startsWith('/v1/devtools/browser')) reply({ status: 404, body: {} })
    else acquire().then(reply, (error: Error) => reply({ status: 500, body: { error: error.message } }))
  })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const [, id = ''] = PATH.exec(request.url ?? '') ?? []
    const browser = sessions.get(id)
    stream.on('error', () => stream.destroy())
    if (!browser) return void stream.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    if (browser === 'stand-in')
      return sockets.handleUpgrade(request, stream, head, (socket) => {
        const answer = standInBrowser((message) => socket.send(JSON.stringify(message)))
        socket.on('message', (text) => void answer(String(text)))
        socket.on('close', () => sessions.delete(id))
      })
    const onward = connect(browser.port, '127.0.0.1', () => {
      onward.write(upgradeFor(request, browser))
      if (head.length > 0) onward.write(head)
      onward.pipe(stream).pipe(onward)
    })
    onward.on('error', () => stream.destroy())
    // A connection with unread bytes would never close, and the server would wait for it.
    const end = () => {
      browser.kill()
      onward.destroy()
      stream.destroy()
    }
    for (const side of [onward, stream]) side.on('close', end)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReal: executable !== undefined,
    refuseNext: (times) => {
      refusals = times
    },
    close: async () => {
      const browsers = [...sessions.values()].filter((one) => one !== 'stand-in')
      for (const { kill } of browsers) kill()
      await Promise.all(browsers.map(({ ended }) => ended))
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
