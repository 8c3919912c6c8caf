import type { Scope } from '../../schema/values/accounts.ts'

/** Operation as the server knows it: its path, its Worker, and the places of its input. */
export type Call = {
  method: string
  path: string
  group: string
  scope: Scope
  acceptsBody: boolean
  /** Names its query knows. */
  queryNames: readonly string[]
}

/** Operations by method and path. */
export type Calls = Readonly<Record<string, Call>>
