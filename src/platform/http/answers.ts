import * as z from 'zod/mini'
import type { Operations, StatusOf } from './operation.ts'

/** A schema for each status each operation of a domain succeeds with. */
export type AnswersOf<Ops extends Operations> = {
  [Name in keyof Ops]: Record<StatusOf<Ops[Name]>, z.ZodMiniType>
}

/** Answer that the call would have: its status and body, or the first call to another system on which the rest depends. */
const Would = z.strictObject({
  status: z.int(),
  body: z.record(z.string(), z.unknown()),
})

/** The answer of every write with `?dry_run=true`. */
export const DryRunAnswer = z.strictObject({ dry_run: z.literal(true), would: Would })
