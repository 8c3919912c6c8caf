import type { Call, Calls } from './call.ts'
import { CALLS } from './calls.generated.ts'
import type { ToolSpec } from './tool-spec.ts'
import { TOOLS } from './tools.ts'

/** Tool with its operations: a single one, or one for each value of `action`. */
export type ServedTool = { spec: ToolSpec; operations: ReadonlyMap<string, Call> }

/** Key of the single operation of a tool without actions. */
export const ONLY = ''

/** Returns the operation with a method and path; undefined if it does not exist. */
export const operationAt = (call: string): Call | undefined => CALLS[call]

/** Returns the tools whose operations all exist and have one of the given Workers. */
export const servedTools = (workers: ReadonlySet<string>, operationsAt: Calls = CALLS): ServedTool[] =>
  TOOLS.flatMap((spec) => {
    const calls = typeof spec.calls === 'string' ? { [ONLY]: spec.calls } : spec.calls
    const operations = new Map<string, Call>()
    for (const [action, call] of Object.entries(calls)) {
      const op = operationsAt[call]
      if (op && workers.has(op.worker)) operations.set(action, op)
    }
    return operations.size === Object.keys(calls).length ? [{ spec, operations }] : []
  })
