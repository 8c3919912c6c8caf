import type { RefusedSignIns } from '../accounts/refused-sign-ins.ts'
import type { Deps } from '../runtime/ctx.ts'
import type { KnownCallers } from './callers.ts'
import type { FileBodies } from './file-bodies.ts'
import type { Limiter } from './ratelimit.ts'

/** Services that an endpoint group is built from. */
export type HttpDeps = Deps & {
  limiter: Limiter
  callers: KnownCallers<number>
  refusedSignIns: RefusedSignIns
  /** Reads bodies with a file, where the group has an operation with `attachment` or `upload`. */
  files?: FileBodies
}
