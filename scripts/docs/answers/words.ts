import type { Operation } from '../../../src/platform/http/operation.ts'
import { noteMissing } from '../missing.ts'
import { ARTICLE_ANSWERS } from './articles.ts'
import { INSIGHT_ANSWERS } from './insights.ts'
import { PROJECT_ANSWERS } from './projects.ts'
import { REACH_ANSWERS } from './reach.ts'
import { SHARED_ANSWERS } from './shared.ts'
import type { AnswerWords } from './word.ts'

const ANSWERS: AnswerWords = { ...PROJECT_ANSWERS, ...ARTICLE_ANSWERS, ...REACH_ANSWERS, ...INSIGHT_ANSWERS }

const nameIn = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** Returns a path, then its ends, down to the name alone: `posts[].reply.url`, `reply.url`, `url`. */
const endsOf = (path: string): string[] => path.split('.').map((_, n, parts) => parts.slice(n).join('.'))

/**
 * Returns the key and field of a field's words: those of the operation before those of its group, longer paths before
 * shorter ones.
 */
const placeOf = (id: string, path: string): [key: string, field: string] | undefined =>
  [id, id.split('.')[0] ?? '']
    .flatMap((key) => endsOf(path).map((end): [string, string] => [key, end]))
    .find(([key, field]) => ANSWERS[key]?.[field] !== undefined)

/**
 * Returns the meaning of an answer's field by its path; empty if its name needs no explanation. Notes a field without
 * words as missing.
 */
export const answerWordOf = ({ id }: Pick<Operation, 'id'>, path: string): string => {
  const place = placeOf(id, path)
  const word = place ? ANSWERS[place[0]]?.[place[1]] : SHARED_ANSWERS[nameIn(path)]
  return word ?? noteMissing(`scripts/docs/answers: the meaning of the field ${path} of ${id}`)
}

/** Returns words that no field of an answer uses. `fields`: the existing fields, by operation. */
export const idleAnswerWords = (fields: readonly { id: string; path: string }[]): string[] => {
  const used = new Set(fields.map(({ id, path }) => placeOf(id, path)?.join(': ') ?? `shared: ${nameIn(path)}`))
  const all = [
    ...Object.entries(ANSWERS).flatMap(([key, words]) => Object.keys(words).map((field) => `${key}: ${field}`)),
    ...Object.keys(SHARED_ANSWERS).map((field) => `shared: ${field}`),
  ]
  return all.filter((one) => !used.has(one))
}
