import type { ApprovedCall, WantedApproval } from '../../../schema/values/approvals.ts'
import type { RefusedSignIns } from '../accounts/refused-sign-ins.ts'
import type { Ctx, Deps } from '../runtime/ctx.ts'
import type { KnownCallers } from './callers.ts'
import type { FileBodies } from './file-bodies.ts'
import type { Limiter } from './ratelimit.ts'

/** Asks a person whether a call may be carried out; the answer of the call until they have decided. */
export type AskPerson = (ctx: Ctx, call: ApprovedCall, wanted: WantedApproval) => Promise<object>

/** Services that an endpoint group is built from. */
export type HttpDeps = Deps & {
  limiter: Limiter
  callers: KnownCallers<number>
  refusedSignIns: RefusedSignIns
  /** Reads bodies with a file, where the group has an operation with `attachment` or `upload`. */
  files?: FileBodies
  /** Keeps calls that a person has to approve, where the group has such operations. */
  askPerson?: AskPerson
}
