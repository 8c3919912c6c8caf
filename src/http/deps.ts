import type { RefusedSignIns } from '../accounts/refused-sign-ins.ts'
import type { Deps } from '../runtime/ctx.ts'
import type { KnownCallers } from './callers.ts'
import type { Limiter } from './ratelimit.ts'
import type { Intake } from './upload-body.ts'

/** What an endpoint group is built from. */
export type HttpDeps = Deps & {
  limiter: Limiter
  callers: KnownCallers
  refusedSignIns: RefusedSignIns
  /** What takes the files of forms in, where the group has an operation with `upload`. */
  intake?: Intake
}
