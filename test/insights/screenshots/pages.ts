import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const html = (title: string) => `<!doctype html><title>${title}</title><main><h1>${title}</h1></main>`

export type Pages = { url: string; close: () => Promise<void> }

/**
 * Starts a site on this machine. Paths below `/brand` are pages of “Pedal & Spoke”, those below `/other` of another
 * business.
 */
export const startPages = async (): Promise<Pages> => {
  const server = createServer((req, res) => {
    const path = req.url ?? ''
    const status = path.startsWith('/missing') ? 404 : 200
    const title = path.startsWith('/other') ? 'Roof tiles' : 'Pedal &amp; Spoke'
    const words = path.includes('/long') ? `<p>${'Chains and brakes. '.repeat(1_500)}</p>` : ''
    res.writeHead(status, { 'content-type': 'text/html' }).end(html(title) + words)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
