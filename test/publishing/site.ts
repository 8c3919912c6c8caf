import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE_MS } from '../../local/loopback.ts'
import { type Api, connectReceiver, newProject } from '../support/client.ts'

export type Seen = { method: string; path: string; rawHeaders: [string, string][]; body: string }
/** Answer of a site. `breaksOff`: the connection ends before the announced end of the body. */
export type SiteAnswer = { status?: number; headers?: Record<string, string>; body?: unknown; breaksOff?: boolean }

/** Server that records requests exactly as they arrive and gives the answers of the test. */
export type Site = { url: string; seen: Seen[]; close: () => Promise<void> }

const pairs = (req: IncomingMessage): [string, string][] => {
  const found: [string, string][] = []
  for (let n = 0; n < req.rawHeaders.length; n += 2) found.push([req.rawHeaders[n] ?? '', req.rawHeaders[n + 1] ?? ''])
  return found
}

/** Starts a site on a free port. */
export const startSite = async (
  answer: (seen: Seen, url: string) => SiteAnswer | Promise<SiteAnswer>,
): Promise<Site> => {
  const seen: Seen[] = []
  let url = ''
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', async () => {
      const one = {
        method: req.method ?? '',
        path: req.url ?? '',
        rawHeaders: pairs(req),
        body: Buffer.concat(chunks).toString(),
      }
      seen.push(one)
      const { status = 200, headers = {}, body = { success: true }, breaksOff = false } = await answer(one, url)
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const length = breaksOff ? { 'content-length': text.length + 500 } : {}
      const type = typeof body === 'string' ? 'text/html' : 'application/json'
      res.writeHead(status, { 'content-type': type, ...length, ...headers })
      if (breaksOff) res.write(text, () => req.socket.end())
      else res.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, seen, close }
}

/** Returns a new project that publishes to the site: its id, and the answer to connecting. */
export const connectedTo = async (
  site: Site,
  api: Api,
  token = 'site-token',
  settings: Record<string, unknown> = {},
) => {
  const projectId = await newProject(api, settings)
  const integration = await connectReceiver(api, projectId, site.url, token)
  // The test of the new connection is no delivery.
  site.seen.length = 0
  return { projectId, integration }
}

/** Returns a header's only value, by its name in any case. Throws if there is none, or more than one. */
export const headerOf = (seen: Seen | undefined, name: string): string => {
  const values = (seen?.rawHeaders ?? []).filter(([n]) => n.toLowerCase() === name.toLowerCase())
  if (values.length !== 1) throw new Error(`${name} stands there ${values.length} times`)
  return values[0]?.[1] ?? ''
}
