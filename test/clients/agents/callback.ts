import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts the address at which a client on this machine waits for the browser to return with a code. */
export const startCallback = async () => {
  let arrived: (params: URLSearchParams) => void = () => undefined
  const returned = new Promise<URLSearchParams>((resolve) => {
    arrived = resolve
  })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    response.writeHead(200, { 'content-type': 'text/plain' }).end('You can close this page.')
    if (pathname === '/callback') arrived(searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    returned,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
