import type { Service } from './service.ts'
import type { Answer } from './wire.ts'

export type ApiRequest = {
  method: string
  /** The request target as it came: a destination inside it must not be normalised. */
  target: string
  path: string
  query: URLSearchParams
  /** Lower-case names. */
  headers: Record<string, string>
  body: Buffer
  callerIp: string
}

export type Route = {
  method: string
  /** Matched against the path, or against the whole target when `raw`. Its groups are the handler's `params`. */
  pattern: RegExp
  raw?: boolean
  handle: (service: Service, request: ApiRequest, params: string[]) => Answer
}
