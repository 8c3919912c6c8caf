import type { Operation } from '../../src/http/operation.ts'
import { bySpecificity } from '../../src/http/paths.ts'
import { type GroupedOperation, OPERATIONS } from '../../src/operations.ts'

/** What the gateway knows of an operation: where it is, and whose Worker answers. */
type Routed = { method: Operation['method']; path: string; group: GroupedOperation['group'] }

const byPath = (): Map<string, Routed[]> => {
  const paths = new Map<string, Routed[]>()
  for (const { method, path: own, aliases = [], group } of OPERATIONS)
    for (const path of [own, ...aliases]) paths.set(path, [...(paths.get(path) ?? []), { method, path: own, group }])
  return paths
}

/** Every path below `/api/v1`, older names included, in the order to try them, with the operations that stand there. */
export const ROUTES: readonly (readonly [path: string, operations: readonly Routed[]])[] = [...byPath()].sort(
  ([a], [b]) => bySpecificity(a, b),
)
