import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { statements } from '../../../schema/statements.ts'
import { notActive } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changeOf, newSet } from '../changes/create.ts'
import { type ArticleToChange, articlesToChange, nextSetId } from '../changes/queries.ts'
import { exactUses, isSame, readArticle, type Use, type Wording, wordingOf } from './find.ts'
import { fieldsWith, mended } from './mend.ts'
import { type ChangeStatementInput, MAX_WORDINGS, READ } from './operations.ts'
import { candidates, statementById } from './queries.ts'
import { distinct, readWording, wordingColumns } from './register.ts'

type Change = NonNullable<Awaited<ReturnType<typeof changeOf>>['change']>

type NotChanged = {
  article_id: number
  title: string
  field: Use['field'] | null
  sentence: string
  reason: string
}

/** Use to change, and the wording that takes its place. */
type Wanted = { use: Use; wording: Wording }

const NOT_PUBLISHED = 'The article is not published. Change its text with PUT /articles/:id.'
const NO_SENTENCE = 'The article does not have this sentence. GET /statements/:id/uses shows its sentences.'

/** Returns the uses of an article to change: exact ones of earlier wordings, and the sentences that the caller replaces. */
const wantedIn = (
  found: ArticleToChange,
  { earlier, next }: { earlier: readonly Wording[]; next: Wording },
  given: NonNullable<ChangeStatementInput['uses']>,
) => {
  const read = readArticle(found.article)
  // The new wording counts first, so that a text that has it already is not changed again, even if it has an earlier one within it.
  const exact = exactUses(read, [next, ...earlier]).filter(({ wording }) => wording !== next)
  const replaced = given.map(({ sentence, replacement }) => {
    return { sentence, uses: exactUses(read, [wordingOf(sentence)]), wording: wordingOf(replacement) }
  })
  const wanted: Wanted[] = replaced.flatMap(({ uses, wording }) => uses.map((use) => ({ use, wording })))
  const isTaken = ({ block, from, to }: Use) =>
    wanted.some(({ use }) => use.block.text === block.text && use.from < to && use.to > from)
  return {
    wanted: [...wanted, ...exact.filter((use) => !isTaken(use)).map((use) => ({ use, wording: next }))],
    missing: replaced.filter(({ uses }) => uses.length === 0).map(({ sentence }) => sentence),
  }
}

/** Returns the change of an article, and the sentences that stay, each with the reason. */
const changeIn = async (ctx: Ctx, found: ArticleToChange, wanted: readonly Wanted[]) => {
  const { id, title, status } = found.article
  const left: NotChanged[] = []
  const leave = ({ use }: Wanted, reason: string): void => {
    left.push({ article_id: id, title, field: use.field, sentence: use.sentence, reason })
  }
  const edits: { field: Use['field']; edit: { start: number; end: number; text: string } }[] = []
  if (status !== 'Published') {
    for (const one of wanted) leave(one, NOT_PUBLISHED)
    return { left, sentences: 0 }
  }
  for (const one of wanted) {
    const result = mended(one.use, one.wording)
    if ('reason' in result) leave(one, result.reason)
    else edits.push({ field: one.use.field, edit: result.edit })
  }
  if (edits.length === 0) return { left, sentences: 0 }
  try {
    const fields = fieldsWith(found.article, edits)
    const { change } = await changeOf(
      ctx,
      { article_id: id, ...fields, ...(fields.content === undefined ? {} : { content_format: 'html' as const }) },
      found,
      0,
    )
    return { change, left, sentences: change ? edits.length : 0 }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      left: wanted.map(({ use }) => ({
        article_id: id,
        title,
        field: use.field,
        sentence: use.sentence,
        reason: error.message,
      })),
      sentences: 0,
    }
  }
}

const NAME = 200

/**
 * Gives a statement a new wording at once, and makes a change set of its exact uses in published articles. Nothing is sent. Earlier
 * wordings still count, so that articles that were not changed yet are found.
 *
 * Throws 404, 403, 400, and 409 if the statement was changed meanwhile.
 */
export const changeStatement = async (ctx: Ctx, id: number, input: ChangeStatementInput) => {
  const next = readWording(input.wording, 'wording')
  const given = input.uses ?? []
  const isGiven = (owner: SQL) =>
    and(
      inArray(articles.id, [0, ...given.map(({ article_id }) => article_id)]),
      eq(
        articles.projectId,
        sql`(select project_id from ${statements} where ${statements.id} = ${id}::int and ${statements.accountId} = ${owner})`,
      ),
    )
  const wanted = { most: READ.max + 1, beforeId: input.before_id, isExact: true }
  const { found, rows, pageIds, drawn } = await ctx.read((owner) => ({
    found: statementById(ctx.db, owner, id),
    rows: articlesToChange(ctx.db, owner, or(inArray(articles.id, candidates(owner, id, wanted)), isGiven(owner))),
    pageIds: ctx.db
      .select({ id: articles.id })
      .from(articles)
      .where(inArray(articles.id, candidates(owner, id, wanted)))
      .orderBy(desc(articles.id)),
    drawn: nextSetId(ctx.db),
  }))
  const [row] = found
  const { statement, projectStatus } = owned(row && { row, mine: row.mine }, 'statement')
  const { projectId, accountId } = statement
  if (projectStatus !== 'Active') throw notActive(projectId)
  const wordings = statement.wordings.map(({ text }) => wordingOf(text))
  const earlier = wordings.filter((one) => !isSame(one, next))
  if (earlier.length === 0)
    throw invalidInput([{ field: 'wording', message: 'is the present wording, and the statement has no other' }])
  const strange = given.findIndex(({ article_id }) => !rows.some(({ article }) => article.id === article_id))
  if (strange >= 0)
    throw invalidInput([{ field: `uses[${strange}].article_id`, message: 'is no article of the statement’s project' }])
  const made: Change[] = []
  const left: NotChanged[] = []
  let sentences = 0
  const inPage = new Set(pageIds.slice(0, READ.max).map((one) => one.id))
  for (const one of rows.sort((a, b) => b.article.id - a.article.id)) {
    const own = given.filter(({ article_id }) => article_id === one.article.id)
    if (!inPage.has(one.article.id) && own.length === 0) continue
    const { wanted: uses, missing } = wantedIn(one, { earlier: inPage.has(one.article.id) ? earlier : [], next }, own)
    for (const sentence of missing)
      left.push({ article_id: one.article.id, title: one.article.title, field: null, sentence, reason: NO_SENTENCE })
    const result = await changeIn(ctx, one, uses)
    left.push(...result.left)
    sentences += result.sentences
    if (result.change) made.push(result.change)
  }
  const setId = Number(drawn.rows[0]?.id)
  const name = clip(`${statement.name}: ${next.text}`, NAME)
  const isCurrent = sql`exists (select 1 from ${statements} where ${eq(statements.id, id)} and ${eq(statements.updatedAt, statement.updatedAt)})`
  const set =
    made.length > 0 ? await newSet(ctx, { id: setId, accountId, projectId, name, made }, isCurrent) : undefined
  const now = ctx.now()
  const answer = {
    statement_id: id,
    wording: next.text,
    change_set_id: set?.answer.change_set_id ?? null,
    changes: made.length,
    sentences,
    not_changed: left,
    page: set?.answer.page ?? null,
    before_id: pageIds.length > READ.max ? (pageIds[READ.max - 1]?.id ?? null) : null,
    message:
      set?.answer.message ?? 'The statement has the new wording. No sentence of a published article was changed.',
  }
  const columns = wordingColumns(distinct([next, ...wordings]).slice(0, MAX_WORDINGS), projectId)
  const { saved } = await ctx.batch({
    held: sql`select 1 from ${statements} where ${eq(statements.id, id)} for update`,
    ...set?.steps,
    ...when(isCurrent, {
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, {
        account: accountId,
        action: 'statement.change',
        on: ['statement', id],
        detail: { wording: next.text, change_set_id: answer.change_set_id },
      }),
    }),
    saved: ctx.db
      .update(statements)
      .set({ ...columns, updatedAt: now })
      .where(and(eq(statements.id, id), eq(statements.updatedAt, statement.updatedAt)))
      .returning({ id: statements.id }),
  })
  if (saved.length === 0)
    throw new ApiError(
      'edit_conflict',
      'Another call changed the statement at the same moment. Nothing was changed: send the call again.',
    )
  return answer
}
