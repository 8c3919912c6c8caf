import { eq, inArray, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { changeSets, changes } from '../../../schema/changes.ts'
import type { ChangedFields } from '../../../schema/values/changes.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { readSent, shownIn } from '../../content/articles/content.ts'
import { showsContent } from '../../content/html/shown.ts'
import { withPreviews } from '../../content/stored/previews.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, type If, insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkAdoptedParts, previewNotes, sameText } from '../adopt/rules.ts'
import { warningsOf } from '../send/answers.ts'
import type { MakeChangesInput } from './operations.ts'
import { type ArticleToChange, articlesToChange, nextSetId } from './queries.ts'
import { fieldsOf, partsOf, sameFields } from './rules.ts'

type Given = MakeChangesInput['changes'][number]

const bad = (n: number, field: string, message: string): ApiError =>
  invalidInput([{ field: `changes[${n}].${field}`, message }])

/**
 * Returns the fields that a change sets to other values, and warnings. Throws 400 with the place of a field that cannot be set, and for
 * an adopted article whose site would show the same.
 */
const changedFields = async (
  ctx: Ctx,
  given: Given,
  found: ArticleToChange,
  n: number,
): Promise<{ fields: ChangedFields; notes: string[] }> => {
  const { article_id: _, content, content_format, ...others } = given
  const { article } = found
  const { safe: sent } = await readSent(ctx, { content, content_format })
  if (sent && sent.images.length > 0)
    throw bad(n, 'content', 'has images in data: URLs. Host them with POST /images, and send their addresses')
  const safe = article.origin === 'own' ? shownIn(sent, found) : sent
  if (safe && !showsContent(safe.html)) throw bad(n, 'content', 'is empty. A published article keeps a text')
  const now = fieldsOf(article)
  const isEdited = safe !== undefined && safe.html !== article.content
  const { html, changed } =
    isEdited && found.form ? withPreviews(article.content, safe.html) : { html: safe?.html, changed: [] }
  const fields: ChangedFields = Object.fromEntries(
    Object.entries({ ...others, content: html }).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(now[name as keyof ChangedFields]),
    ),
  )
  if (isEdited && Object.keys(fields).length === 0) throw sameText(article.id, changed)
  return { fields, notes: previewNotes(changed) }
}

/** Returns the article of a change. Throws 404, 403, and 400 for one that is not published in the project. */
const articleOf = (rows: readonly ArticleToChange[], given: Given, projectId: number, n: number): ArticleToChange => {
  const row = rows.find(({ article }) => article.id === given.article_id)
  const found = owned(row && { row, mine: row.mine }, 'article')
  if (found.article.projectId !== projectId) throw bad(n, 'article_id', 'is an article of another project')
  if (found.article.status !== 'Published')
    throw new ApiError('not_published', `The article ${given.article_id} is not published. Nothing was saved.`)
  return found
}

/** Change of an article, as its set keeps it. */
type Made = { article_id: number; base_revision: number; fields: ChangedFields; before: ChangedFields }

/**
 * Returns a change of an article, and warnings; no change if all values stay the same. Throws 400 if the article cannot have it.
 */
export const changeOf = async (
  ctx: Ctx,
  given: Given,
  found: ArticleToChange,
  n: number,
): Promise<{ change?: Made; notes: string[] }> => {
  const { fields, notes } = await changedFields(ctx, given, found, n)
  if (Object.keys(fields).length === 0) return { notes }
  if (found.form) checkAdoptedParts(found.article.id, partsOf(fields), found.form)
  const { id, revision } = found.article
  const before = sameFields(fields, fieldsOf(found.article))
  return { change: { article_id: id, base_revision: revision, fields, before }, notes }
}

type NewSet = { id: number; accountId: number; projectId: number; name: string; made: readonly Made[] }

/** Returns the statements that make a set of changes if a condition is met, and the parts of the answer about it. */
export const newSet = async (ctx: Ctx, { id, accountId, projectId, name, made }: NewSet, condition: If) => {
  const now = ctx.now()
  const isMade = sql`exists (select 1 from ${changeSets} where ${eq(changeSets.id, id)})`
  const steps = {
    set: insertWhere(
      changeSets,
      { id, accountId, projectId, name, hash: await sha256(JSON.stringify(made)), createdAt: now, updatedAt: now },
      { if: condition },
    ),
    ...when(isMade, {
      changes: (isMet) =>
        insertWhere(
          changes,
          {
            setId: id,
            position: sql`one.position`,
            articleId: sql`one.article_id`,
            baseRevision: sql`one.base_revision`,
            fields: sql`one.fields`,
            before: sql`one.before`,
          },
          {
            if: isMet,
            from: sql`jsonb_to_recordset(${JSON.stringify(made.map((one, n) => ({ position: n + 1, ...one })))}::jsonb)
              as one(position int, article_id int, base_revision int, fields jsonb, before jsonb)`,
          },
        ),
      audit: audit(ctx, {
        account: accountId,
        action: 'changes.create',
        on: ['change_set', id],
        detail: { changes: made.length },
      }),
    }),
  }
  const answer = {
    change_set_id: id,
    changes: made.length,
    page: `${ctx.settings.publicUrl}/p/${projectId}/changes/${id}`,
    message: `The set was made, and nothing was sent. POST /changes/${id}/release sends it.`,
  }
  return { steps, isMade, answer }
}

/**
 * Makes a named set of changes of published articles. Nothing is changed or sent.
 *
 * Throws 404 and 403 for the project and its articles, and 400 for an article that is named twice, is not published, or cannot have the
 * change.
 */
export const makeChanges = async (ctx: Ctx, input: MakeChangesInput) => {
  const { project_id: projectId, name } = input
  const ids = input.changes.map(({ article_id }) => article_id)
  const twice = ids.findIndex((id, n) => ids.indexOf(id) !== n)
  if (twice >= 0) throw bad(twice, 'article_id', 'is in the set already: send one change for each article')
  const {
    results: { rows, ids: drawn },
  } = await readWithProject(ctx, projectId, (owner) => ({
    rows: articlesToChange(ctx.db, owner, inArray(articles.id, ids)),
    ids: nextSetId(ctx.db),
  }))
  const made: Made[] = []
  const warnings: string[] = []
  for (const [n, given] of input.changes.entries()) {
    const { change, notes } = await changeOf(ctx, given, articleOf(rows, given, projectId, n), n)
    if (change) made.push(change)
    warnings.push(...notes.map((note) => `Article ${given.article_id}: ${note}`))
  }
  if (made.length === 0) throw invalidInput([{ field: 'changes', message: 'change nothing: all values stay the same' }])
  const id = Number(drawn.rows[0]?.id)
  const { id: accountId } = await ctx.account()
  const { steps, isMade, answer } = await newSet(ctx, { id, accountId, projectId, name, made }, 'always')
  const unchanged = ids.filter((one) => !made.some(({ article_id }) => article_id === one))
  const { message, page, ...counts } = answer
  const body = { status: 'draft' as const, ...counts, unchanged, ...warningsOf(warnings), page, message }
  await ctx.batch({ ...steps, ...when(isMade, { kept: ctx.keepAnswer(body) }) })
  return body
}
