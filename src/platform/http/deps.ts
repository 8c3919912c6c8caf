import type { ApprovedCall, WantedApproval } from '../../../schema/values/approvals.ts'
import type { RefusedSignIns } from '../accounts/refused-sign-ins.ts'
import type { Ctx, Deps } from '../runtime/ctx.ts'
import type { FileBodies } from './file-bodies.ts'
import type { Limiter } from './ratelimit.ts'

/** Keys that this isolate admitted a moment ago, each with a remembered value. */
type KnownCallers<T> = {
  has: (keyHash: string) => boolean
  of: (keyHash: string) => T | undefined
  remember: (keyHash: string, value: T) => void
  forget: (keyHash: string) => void
}

const KNOWN_MS = 60_000
const MAX_KEYS = 10_000

/**
 * Creates a memory of the keys that were admitted in the last minute.
 *
 * It grants nothing: every request is judged again. It only shows for which keys work may begin during that judgement.
 */
export const createKnownCallers = <T>(now: () => Date): KnownCallers<T> => {
  const known = new Map<string, { until: number; value: T }>()
  const live = (keyHash: string) => {
    const found = known.get(keyHash)
    return found && found.until > now().getTime() ? found : undefined
  }
  return {
    has: (keyHash) => live(keyHash) !== undefined,
    of: (keyHash) => live(keyHash)?.value,
    remember: (keyHash, value) => {
      if (known.size >= MAX_KEYS) known.clear()
      known.set(keyHash, { until: now().getTime() + KNOWN_MS, value })
    },
    forget: (keyHash) => {
      known.delete(keyHash)
    },
  }
}

/** Asks a person to approve a call. Returns the answer that the call has until the person decides. */
export type AskPerson = (ctx: Ctx, call: ApprovedCall, wanted: WantedApproval) => Promise<object>

/** Services that an endpoint group is built from. */
export type HttpDeps = Deps & {
  limiter: Limiter
  callers: KnownCallers<number>
  refusedSignIns: RefusedSignIns
  /** Reads bodies with a file, if the group has an operation with `attachment` or `upload`. */
  files?: FileBodies
  /** Stores calls that a person has to approve, if the group has such operations. */
  askPerson?: AskPerson
}
