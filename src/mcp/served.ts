import type { Call, Calls } from './call.ts'
import { CALLS } from './calls.generated.ts'
import { TOOLS, type ToolSpec } from './tools.ts'

/** A tool whose operations are all built: one, or one for each value of `action`. */
export type ServedTool = { spec: ToolSpec; operations: ReadonlyMap<string, Call> }

/** The key of the one operation of a tool without actions. */
export const ONLY = ''

/** Returns the operation at a method and path, if it is built. */
export const operationAt = (call: string): Call | undefined => CALLS[call]

/** Returns the tools whose operations are all built and belong to `groups`. */
export const servedTools = (groups: ReadonlySet<string>, operationsAt: Calls = CALLS): ServedTool[] =>
  TOOLS.flatMap((spec) => {
    const calls = typeof spec.calls === 'string' ? { [ONLY]: spec.calls } : spec.calls
    const operations = new Map<string, Call>()
    for (const [action, call] of Object.entries(calls)) {
      const op = operationsAt[call]
      if (op && groups.has(op.group)) operations.set(action, op)
    }
    return operations.size === Object.keys(calls).length ? [{ spec, operations }] : []
  })
