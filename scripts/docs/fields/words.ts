import type { Operation } from '../../../src/platform/http/operation.ts'
import { noteMissing } from '../missing.ts'
import { ARTICLE_FIELDS } from './articles.ts'
import { INSIGHT_FIELDS, SUGGESTION_FIELDS } from './insights.ts'
import { PROJECT_FIELDS } from './projects.ts'
import { PUBLISHING_FIELDS } from './publishing.ts'
import { REACH_FIELDS } from './reach.ts'
import { MEDIA_FIELDS, RESEARCH_FIELDS } from './research.ts'
import { PARAMETERS, SHARED } from './shared.ts'
import type { Word, Words } from './word.ts'

const FIELDS: Readonly<Record<string, Words>> = {
  ...PROJECT_FIELDS,
  ...ARTICLE_FIELDS,
  ...PUBLISHING_FIELDS,
  ...MEDIA_FIELDS,
  ...RESEARCH_FIELDS,
  ...REACH_FIELDS,
  ...SUGGESTION_FIELDS,
  ...INSIGHT_FIELDS,
}

/** Returns the meaning of an operation's field; undefined if it has no words. */
export const wordIn = (operation: Operation, field: string): Word | undefined =>
  FIELDS[operation.id]?.[field] ?? SHARED[field]

/** Returns the meaning of an operation's field. Notes a field without words as missing. */
export const wordOf = (operation: Operation, field: string): Word => {
  const word = wordIn(operation, field)
  return word ?? noteMissing(`scripts/docs/fields: the meaning of the field ${field} of ${operation.id}`)
}

/** Returns the meaning of a parameter in an operation's path. Notes a parameter without words as missing. */
export const parameterWord = (operation: Operation, name: string): string => {
  const upTo = operation.path.slice(0, operation.path.indexOf(`:${name}`) + name.length + 1)
  return PARAMETERS[upTo] ?? noteMissing(`scripts/docs/fields/shared.ts, PARAMETERS: the meaning of ${upTo}`)
}

/** Returns words for fields that no operation has. `has` returns true if an operation has a field. */
export const idleWords = (has: (operationId: string, field: string) => boolean): string[] =>
  Object.entries(FIELDS).flatMap(([id, words]) =>
    Object.keys(words)
      .filter((field) => !has(id, field))
      .map((field) => `${id}: ${field}`),
  )
