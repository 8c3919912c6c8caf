import * as z from 'zod/mini'
import type { KeywordRow } from '../../../insights/keywords/port.ts'

const metric = () => z.catch(z.nullable(z.number()), null)

const Row = z.looseObject({
  keyword: z.string().check(z.minLength(1)),
  volume: z.optional(metric()),
  difficulty: z.optional(metric()),
})
const Answer = z.looseObject({ keywords: z.array(z.unknown()) })

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.round(value)

/** Returns the rows of an answer of the Keywords Explorer; undefined if it has none of its form. */
export const keywordRows = (json: unknown): KeywordRow[] | undefined => {
  const read = Answer.safeParse(json)
  if (!read.success) return undefined
  return read.data.keywords.flatMap((entry) => {
    const row = Row.safeParse(entry)
    if (!row.success) return []
    const { keyword, volume, difficulty } = row.data
    return [
      {
        keyword: keyword.trim().replace(/\s+/g, ' '),
        searchVolume: whole(volume),
        difficulty: whole(difficulty),
        intent: null,
      },
    ]
  })
}

const Usage = z.looseObject({
  limits_and_usage: z.looseObject({
    units_limit_workspace: z.nullish(z.number()),
    units_usage_workspace: z.nullish(z.number()),
    units_limit_api_key: z.nullish(z.number()),
    units_usage_api_key: z.nullish(z.number()),
  }),
})

/** True if a workspace or its key has used all its units. */
export const isUsedUp = (json: unknown): boolean => {
  const read = Usage.safeParse(json)
  if (!read.success) return false
  const usage = read.data.limits_and_usage
  const isFull = (limit: number | null | undefined, used: number | null | undefined) =>
    limit !== null && limit !== undefined && (used ?? 0) >= limit
  return (
    isFull(usage.units_limit_workspace, usage.units_usage_workspace) ||
    isFull(usage.units_limit_api_key, usage.units_usage_api_key)
  )
}
