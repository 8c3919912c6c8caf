import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = {
  headers: IncomingHttpHeaders
  body: string
  event: Record<string, unknown> & { id: number; type: string }
}

/** Address that receives events: what it got, and how it answers. */
export type Endpoint = {
  url: string
  got: Received[]
  /** Sets the answer to an event; the first is number 1. Absent: 204. */
  answerWith: (answer: (received: Received, number: number) => { status: number; retryAfter?: string }) => void
  close: () => Promise<void>
}

/** Starts an address that accepts events, on a free port. */
export const startEndpoint = async (): Promise<Endpoint> => {
  const got: Received[] = []
  let answer: Parameters<Endpoint['answerWith']>[0] = () => ({ status: 204 })
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const received = { headers: request.headers, body, event: JSON.parse(body) as Received['event'] }
    got.push(received)
    const { status, retryAfter } = answer(received, got.length)
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    got,
    answerWith: (next) => {
      answer = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
