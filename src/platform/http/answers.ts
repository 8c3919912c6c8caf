import type * as z from 'zod/mini'
import type { Operations, StatusOf } from './operation.ts'

/** A schema for each status each operation of a domain succeeds with. */
export type AnswersOf<Ops extends Operations> = {
  [Name in keyof Ops]: Record<StatusOf<Ops[Name]>, z.ZodMiniType>
}
