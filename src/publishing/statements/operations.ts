import * as z from 'zod/mini'
import { lengthOf, pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, intParam, label, lines, means, text } from '../../platform/lib/fields.ts'

export const LISTED = { default: 50, max: 200 }

/** Number of articles that one call reads. One change set has at most as many. */
export const READ = { default: 50, max: 50 }

/** Most wordings of a statement. The oldest of more are forgotten. */
export const MAX_WORDINGS = 10

const MAX_WORDING = 500
const MAX_SENTENCE = 5_000

const wording = () => text(MAX_WORDING, 1)

/** Body of `POST /statements`. */
const RegisterStatement = z.object({
  project_id: means('ID of the project whose articles say it.', id()),
  name: means('Name of the statement for people, such as `Price of a shed`.', text(200, 1)),
  wording: means('Sentence that the articles say, or the part of it that is always the same.', wording()),
  alternatives: means(
    `Other wordings that articles use for it, which count as exact too. At most ${MAX_WORDINGS - 1}.`,
    z.optional(lines()),
    'none',
  ),
})

const Replacement = z.object({
  article_id: means('ID of the article.', id()),
  sentence: means('Sentence to replace, as `GET /statements/:id/uses` returns it.', text(MAX_SENTENCE, 1)),
  replacement: means('Sentence that takes its place, as plain text.', text(MAX_SENTENCE, 1)),
})

/** Body of `POST /statements/:id/change`. */
const ChangeStatement = z.object({
  wording: means('New wording. It takes the place of the earlier ones in every exact use.', wording()),
  uses: means(
    `Sentences in other words, each with what takes its place. At most ${READ.max}.`,
    z.optional(z.array(Replacement).check(z.minLength(1), z.maxLength(READ.max))),
    'none: sentences in other words stay',
  ),
  before_id: means(
    '`before_id` of the previous response: continues with the articles after those of the set before.',
    z.optional(id()),
    'starts with the newest article',
  ),
})

const ListStatements = z.object({
  project_id: means('Only statements of this project.', z.optional(intParam(1)), 'all projects of the account'),
  ...pagingParams(LISTED),
})

const ListUses = z.object({
  match: means('`exact`: leaves out sentences in other words.', z.optional(label(['exact', 'all'])), '`all`'),
  limit: lengthOf(READ),
  before_id: means(
    'Continues after this article: `before_id` of the previous response.',
    z.optional(intParam(1)),
    'starts with the newest article',
  ),
})

export type RegisterStatementInput = z.infer<typeof RegisterStatement>
export type ChangeStatementInput = z.infer<typeof ChangeStatement>
export type ListStatementsInput = z.infer<typeof ListStatements>
export type ListUsesInput = z.infer<typeof ListUses>

/** Operations on what a business says in many articles. */
export const statementOperations = {
  create: {
    id: 'statements.create',
    method: 'POST',
    path: '/statements',
    perMinute: 30,
    scope: 'draft',
    summary:
      'Registers what a business says in many articles: a price, a law, a name. Its uses can then be found and changed together.',
    success: [201],
    json: RegisterStatement,
    errors: ['not_found', 'forbidden'],
  },
  list: {
    id: 'statements.list',
    method: 'GET',
    path: '/statements',
    perMinute: 60,
    scope: 'read',
    summary: 'Lists the statements of an account or a project, newest first.',
    query: ListStatements,
    errors: ['not_found', 'forbidden'],
  },
  show: {
    id: 'statements.show',
    method: 'GET',
    path: '/statements/:id',
    perMinute: 60,
    scope: 'read',
    summary: 'Returns a statement with its wordings.',
    errors: ['not_found', 'forbidden'],
  },
  uses: {
    id: 'statements.uses',
    method: 'GET',
    path: '/statements/:id/uses',
    perMinute: 60,
    scope: 'read',
    summary:
      'Finds the sentences of articles that say a statement, exactly or in other words, in titles, descriptions and texts. A call reads some articles; `before_id` continues.',
    query: ListUses,
    errors: ['not_found', 'forbidden'],
  },
  change: {
    id: 'statements.change',
    method: 'POST',
    path: '/statements/:id/change',
    perMinute: 10,
    scope: 'draft',
    summary:
      'Gives a statement a new wording, and makes a change set that mends every exact use in published articles. Nothing is sent: the set is approved and released like any other.',
    success: [201],
    json: ChangeStatement,
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  remove: {
    id: 'statements.delete',
    method: 'DELETE',
    path: '/statements/:id',
    perMinute: 30,
    scope: 'write',
    summary: 'Deletes a statement. Articles and change sets stay as they are.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
