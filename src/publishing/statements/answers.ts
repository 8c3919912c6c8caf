import * as z from 'zod/mini'
import { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import { FIELDS } from './find.ts'
import type { statementOperations } from './operations.ts'

const field = () => means('Field of the article that has the sentence.', z.enum(FIELDS))

const statement = z.strictObject({
  id: means('ID of the statement.', id()),
  project_id: projectId(),
  name: selfExplanatory(z.string()),
  wording: means('Present wording.', z.string()),
  alternatives: means('Other wordings that count as exact: those given, and earlier ones.', z.array(z.string())),
  page: means('Page on which people see the statement and its uses.', z.string()),
  created_at: selfExplanatory(instant()),
  updated_at: means('Time of the last change of the wording.', instant()),
})

const use = z.strictObject({
  article_id: articleId(),
  title: means('Title of the article.', z.string()),
  status: means('Status of the article. Only published articles can be in a change set.', z.enum(ARTICLE_STATUSES)),
  url: means('Public URL. Null if none is known.', z.nullable(z.string())),
  field: field(),
  sentence: means('The sentence, as plain text.', z.string()),
  match: means(
    '`exact`: it has a wording, apart from case, accents, quotes, spaces and the format of numbers. `similar`: it shares enough of its numbers and words.',
    z.enum(['exact', 'similar']),
  ),
  score: means('Part of the wording that the sentence has, by weight: 1 if it is exact, at least 0.5.', z.number()),
  wording: means('Wording that the sentence says.', z.string()),
})

const notChanged = z.strictObject({
  article_id: articleId(),
  title: means('Title of the article.', z.string()),
  field: means('Field of the article that has the sentence. Null if it has none.', z.nullable(z.enum(FIELDS))),
  sentence: means('The sentence, as plain text.', z.string()),
  reason: means('Reason why it is not in the set, as text for people.', z.string()),
})

const beforeId = () => means('`before_id` for the next call. Null if all articles were read.', z.nullable(id()))

/** Answers of the operations on statements. */
export const statementAnswers = {
  create: { 201: body({ statement: means('The new statement.', statement) }) },
  list: { 200: page({ statements: means('Statements, newest first.', z.array(statement)) }) },
  show: { 200: body({ statement: means('The statement.', statement) }) },
  uses: {
    200: body({
      statement_id: means('ID of the statement.', id()),
      uses: means('Sentences that say it, by article, newest article first.', z.array(use)),
      articles_read: means('Number of articles that this call read. It may be positive without a use.', count()),
      limit: means('Maximum number of articles that this call read.', z.int().check(z.gte(1))),
      before_id: beforeId(),
    }),
  },
  change: {
    201: body({
      statement_id: means('ID of the statement.', id()),
      wording: means('Its wording now.', z.string()),
      change_set_id: means('ID of the new change set. Null if no sentence was changed.', z.nullable(id())),
      changes: means('Number of articles in the set.', count()),
      sentences: means('Number of sentences that the set changes.', count()),
      not_changed: means('Sentences that the set does not change, each with the reason.', z.array(notChanged)),
      page: means('Page on which people see the set. Null without a set.', z.nullable(z.string())),
      before_id: beforeId(),
      message: message(),
    }),
  },
  remove: { 200: body({ success: means('The statement is deleted.', z.literal(true)), message: message() }) },
} satisfies AnswersOf<typeof statementOperations>
