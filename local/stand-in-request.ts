import type { IncomingHttpHeaders } from 'node:http'

/** Request to a stand-in. `body` is the parsed JSON; undefined if there is none, it is not valid, or its content type is another. */
export type StandInRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
  raw: Buffer
}
