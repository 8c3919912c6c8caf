import * as z from 'zod/mini'
import { id, means, selfExplanatory } from '../lib/fields.ts'
import type { Operations, StatusOf } from './operation.ts'

/** Schemas of the answers of a domain's operations: one for each status of success. */
export type AnswersOf<Ops extends Operations> = {
  [Name in keyof Ops]: Record<StatusOf<Ops[Name]>, z.ZodMiniType>
}

// Fields of answers, for the schemas that document and test them. No Worker imports this file.

/** Returns the schema of an instant in UTC: ISO 8601 with `Z`. */
export const instant = () => z.iso.datetime()

/** Returns the schema of a local time in the project's zone, without a zone suffix. */
export const wallTime = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/))

export { id, means, selfExplanatory }

/** Returns the field of a project's id. */
export const projectId = () => means('ID of the project, as listed by `GET /projects`.', id())

/** Returns the field of an article's id. */
export const articleId = () => means('ID of the article, as listed by `GET /articles`.', id())

/** Returns the field of the result in words. */
export const message = () => means('Result of the call, as text for people.', z.string())

/** Returns the schema of a number of things. */
export const count = () => z.int().check(z.gte(0))

/** Fields that list the names in the request that had no effect. */
const ignored = {
  ignored: means('Sent names that the operation does not know.', z.optional(z.array(z.string()))),
  notes: means('One sentence about each name in `ignored`.', z.optional(z.record(z.string(), z.string()))),
}

/** Fields of an answer. Those about ignored names have one form in all answers. */
type Fields = z.core.$ZodShape & {
  ignored?: z.ZodMiniType<readonly string[] | undefined>
  notes?: z.ZodMiniType<Record<string, string> | undefined>
}

/** Returns the schema of an answer's body: these fields and no others. */
export const body = <Shape extends Fields>(shape: Shape) => z.strictObject({ ...ignored, ...shape })

/** Returns the schema of a list: its rows under their names, and the position of the next page. */
export const page = <Shape extends Fields>(rows: Shape) =>
  body({
    ...rows,
    count: means('Number of rows in this response.', count()),
    limit: means(
      'Maximum number of rows in this response. It can be lower than the `limit` of the request.',
      z.int().check(z.gte(1)),
    ),
    offset: means('Number of skipped rows.', count()),
    next_offset: means('`offset` for the next page. Null if there is none.', z.nullable(count())),
    before_id: means('`before_id` for the next page. Null if there is none.', z.nullable(id())),
  })
