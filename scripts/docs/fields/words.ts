import type { Operation } from '../../../src/platform/http/operation.ts'
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

/** Returns the meaning of an operation's field. Throws if it has no words. */
export const wordOf = (operation: Operation, field: string): Word => {
  const word = wordIn(operation, field)
  if (word !== undefined) return word
  throw new Error(`Say in scripts/docs/fields what ${field} of ${operation.id} means.`)
}

/** Returns the meaning of a parameter in an operation's path. Throws if it has no words. */
export const parameterWord = (operation: Operation, name: string): string => {
  const upTo = operation.path.slice(0, operation.path.indexOf(`:${name}`) + name.length + 1)
  const word = PARAMETERS[upTo]
  if (word !== undefined) return word
  throw new Error(`Say in scripts/docs/fields/shared.ts what ${upTo} stands for.`)
}

/** Returns words for fields that no operation has. `has` returns true if an operation has a field. */
export const idleWords = (has: (operationId: string, field: string) => boolean): string[] =>
  Object.entries(FIELDS).flatMap(([id, words]) =>
    Object.keys(words)
      .filter((field) => !has(id, field))
      .map((field) => `${id}: ${field}`),
  )
