import type { Scope } from '../../schema/values/accounts.ts'

/** What the server knows of an operation: where it is, whose Worker answers, and where its input goes. */
export type Call = {
  method: string
  path: string
  group: string
  scope: Scope
  takesBody: boolean
  /** Names its query knows. */
  queryNames: readonly string[]
}

/** Operations by method and path. */
export type Calls = Readonly<Record<string, Call>>
