import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { exactUses, readArticle, type Use, usesIn, wordingOf } from './find.ts'
import { enqueueWords } from './index-words.ts'
import { type ListUsesInput, READ } from './operations.ts'
import { articlesToRead, statementById } from './queries.ts'

type Row = Awaited<ReturnType<typeof articlesToRead>>[number]

const useAnswer = ({ id, title, status, url }: Row, use: Use) => ({
  article_id: id,
  title,
  status,
  url,
  field: use.field,
  sentence: use.sentence,
  match: use.match,
  score: Math.floor(use.score * 100) / 100,
  wording: use.wording.text,
})

/**
 * Finds the sentences of some articles that say a statement, newest article first. Throws 404, 403.
 *
 * Articles that the index does not know as they are now are read too, and indexed afterwards.
 */
export const usesOfStatement = async (ctx: Ctx, id: number, input: ListUsesInput) => {
  const limit = Math.min(input.limit ?? READ.default, READ.max)
  const isExact = input.match === 'exact'
  const {
    found: [found],
    rows,
  } = await ctx.read((owner) => ({
    found: statementById(ctx.db, owner, id),
    rows: articlesToRead(ctx.db, owner, id, { most: limit + 1, beforeId: input.before_id, isExact }),
  }))
  const { statement } = owned(found && { row: found, mine: found.mine }, 'statement')
  const wordings = statement.wordings.map(({ text }) => wordingOf(text))
  const shown = rows.slice(0, limit)
  const uses = shown.flatMap((row) => {
    const article = readArticle(row)
    return (isExact ? exactUses(article, wordings) : usesIn(article, wordings)).map((use) => useAnswer(row, use))
  })
  if (shown.some((row) => !row.isIndexed)) {
    const job = enqueueWords(ctx, { id: statement.projectId, accountId: statement.accountId })
    ctx.defer(ctx.batch({ job }, { unaudited: 'an index of the words of articles' }))
  }
  return {
    statement_id: id,
    uses,
    articles_read: shown.length,
    limit,
    before_id: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}
