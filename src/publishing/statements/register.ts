import { eq, sql } from 'drizzle-orm'
import { statements } from '../../../schema/statements.ts'
import type { StatementWording } from '../../../schema/values/statements.ts'
import { readPage, readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isSame, type Wording, wordingOf } from './find.ts'
import { enqueueWords } from './index-words.ts'
import { LISTED, type ListStatementsInput, MAX_WORDINGS, type RegisterStatementInput } from './operations.ts'
import { nextStatementId, statementById, statementRows } from './queries.ts'
import { indexKeys, rareKeys } from './words.ts'

type Row = typeof statements.$inferSelect

const statementAnswer = (ctx: Ctx, row: Row) => {
  const [wording = '', ...alternatives] = row.wordings.map(({ text }) => text)
  return {
    id: row.id,
    project_id: row.projectId,
    name: row.name,
    wording,
    alternatives,
    page: `${ctx.settings.publicUrl}/p/${row.projectId}/statements/${row.id}`,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** Returns a wording, read for comparison. Throws 400 if it has no word by which it can be found. */
export const readWording = (text: string, field: string): Wording => {
  const wording = wordingOf(text)
  if (wording.keys.size === 0)
    throw invalidInput([{ field, message: 'has no word to be found by: write a word, a number, or two characters' }])
  return wording
}

/** Returns wordings without those that equal an earlier one. */
export const distinct = (wordings: readonly Wording[]): Wording[] =>
  wordings.filter((one, n) => !wordings.slice(0, n).some((other) => isSame(one, other)))

/** Returns the columns with the wordings of a statement. */
export const wordingColumns = (wordings: readonly Wording[], projectId: number) => ({
  wordings: wordings.map(({ text, keys }): StatementWording => ({ text, keys: indexKeys(keys.keys(), projectId) })),
  rareKeys: [...new Set(wordings.flatMap(({ keys }) => indexKeys(rareKeys(keys), projectId)))],
})

/** Registers a statement. The articles of its project are then read for the index. Throws 404, 403, 400. */
export const registerStatement = async (ctx: Ctx, input: RegisterStatementInput) => {
  const { project_id: projectId, name, wording, alternatives = [] } = input
  if (alternatives.length >= MAX_WORDINGS)
    throw invalidInput([{ field: 'alternatives', message: `must have at most ${MAX_WORDINGS - 1} entries` }])
  const wordings = distinct([
    readWording(wording, 'wording'),
    ...alternatives.map((text, n) => readWording(text, `alternatives[${n}]`)),
  ])
  const { results } = await readWithProject(ctx, projectId, { drawn: nextStatementId(ctx.db) })
  const { id: accountId } = await ctx.account()
  const id = Number(results.drawn.rows[0]?.id)
  const now = ctx.now()
  const row = { id, accountId, projectId, name, ...wordingColumns(wordings, projectId), createdAt: now, updatedAt: now }
  const answer = { statement: statementAnswer(ctx, row) }
  await ctx.batch({
    made: insertWhere(statements, row, { if: 'always' }),
    ...when(sql`exists (select 1 from ${statements} where ${eq(statements.id, id)})`, {
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: 'statement.create', on: ['statement', id], detail: { name } }),
    }),
    job: enqueueWords(ctx, { id: projectId, accountId }),
  })
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Lists statements, newest first. Throws 404, 403. */
export const listStatements = async (ctx: Ctx, input: ListStatementsInput) => {
  const { rows, page } = await readPage(ctx, input, LISTED, (owner, paging) =>
    statementRows(ctx.db, owner, input.project_id, paging),
  )
  return { statements: rows.map((row) => statementAnswer(ctx, row)), ...page }
}

const load = async (ctx: Ctx, id: number): Promise<Row> => {
  const [row] = await ctx.read((owner) => statementById(ctx.db, owner, id))
  return owned(row && { row, mine: row.mine }, 'statement').statement
}

/** Returns a statement with its wordings. Throws 404, 403. */
export const showStatement = async (ctx: Ctx, id: number) => ({ statement: statementAnswer(ctx, await load(ctx, id)) })

/** Deletes a statement. Articles and change sets stay. Throws 404, 403. */
export const deleteStatement = async (ctx: Ctx, id: number) => {
  const { accountId, name } = await load(ctx, id)
  const answer = {
    success: true as const,
    message: 'The statement is deleted. Articles and change sets stay as they are.',
  }
  await ctx.batch({
    gone: ctx.db.delete(statements).where(eq(statements.id, id)),
    ...when(sql`true`, {
      audit: audit(ctx, { account: accountId, action: 'statement.delete', on: ['statement', id], detail: { name } }),
      kept: ctx.keepAnswer(answer),
    }),
  })
  return answer
}
