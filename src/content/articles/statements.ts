import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { supersedeApprovals } from '../../accounts/approvals/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import { type Changes, insert, type NewRow, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { removeLinks } from '../exchange/parts.ts'
import { earlierValues, keepRevision, oldArticle } from './parts.ts'
import { mayMove } from './standing-parts.ts'

/**
 * Further changes of a save: columns that follow from others, and parts over the one that has the saved article's id.
 *
 * `stands`: the condition for all of it; nothing is saved otherwise.
 */
type Derived = { changes: Changes<typeof articles>; parts: (saved: Part<'id'>) => Parts; stands: SQL | undefined }

type NewArticle = Omit<NewRow<typeof articles>, 'accountId'>

const isOwn = (id: number, accountId: number): SQL =>
  sql`${and(eq(articles.id, id), eq(articles.accountId, accountId))}`

/** Creates an article; no row when its slug was taken meanwhile, or what the answer says does not stand. */
export const insertArticle = (
  ctx: Ctx,
  accountId: number,
  values: NewArticle,
  answer: unknown,
  derived: Derived,
): SQL => {
  const row = { ...values, ...derived.changes, accountId }
  const made = insert('made', articles, row, {
    ...(derived.stands ? { where: derived.stands } : {}),
    onConflict: { constraint: 'articles_slug_unique' },
    returning: { id: articles.id },
  })
  return statement({
    parts: [made, derived.parts(made), ctx.keep.answer([made], answer)],
    audit: audit(ctx, { of: made, account: accountId, action: 'article.create', on: ['article', made.c.id] }),
    answer: { id: made.c.id },
  })
}

/** Article of a save, the state in which it was judged, the time, and the fields that were sent. */
type Save = {
  id: number
  judged: SQL
  makesRevision: boolean
  keepsVersion: boolean
  savedAt: Date
  fields: readonly string[]
  /** True if it goes out otherwise than a person was asked about, and whether they are asked again. */
  question: { ends: boolean; asksAgain: boolean }
}

/**
 * Changes an article that may be changed. No row when it is published, being published, being written, not the account's or
 * no longer as it was `judged`, or what the answer says does not stand.
 *
 * `makesRevision`, where a reader would see a difference, counts the revision up; `keepsVersion` keeps the version before.
 */
export const updateArticle = (
  ctx: Ctx,
  accountId: number,
  { id, judged, makesRevision, keepsVersion, savedAt, fields, question }: Save,
  values: Changes<typeof articles>,
  answer: unknown,
  derived: Derived,
): SQL => {
  const old = oldArticle({ where: isOwn(id, accountId), lock: 'update' })
  const revision = makesRevision ? { revision: sql`${articles.revision} + 1` } : {}
  const changed = update(
    'changed',
    articles,
    { ...values, ...derived.changes, ...revision, updatedAt: savedAt },
    {
      from: [old],
      where: sql`${and(eq(articles.id, old.c.id), judged, mayMove('edit', ctx.now()), derived.stands)}`,
      returning: { id: articles.id },
    },
  )
  return statement({
    parts: [
      old,
      changed,
      keepsVersion && keepRevision(old, changed),
      derived.parts(changed),
      question.ends && supersedeApprovals(ctx, changed, accountId, question.asksAgain),
      ctx.keep.answer([changed], answer),
    ],
    audit: audit(ctx, {
      of: changed,
      account: accountId,
      action: 'article.update',
      on: ['article', changed.c.id],
      detail: sql`jsonb_build_object('fields', ${JSON.stringify(fields)}::jsonb, 'before', ${earlierValues(old, fields)})`,
    }),
    answer: { id: changed.c.id },
  })
}

/**
 * Removes an article that may be removed, and takes its exchange links back. `also`: what else goes with it. After
 * `articleLocks`.
 */
export const deleteArticle = (
  ctx: Ctx,
  accountId: number,
  id: number,
  seen: Date | undefined,
  also: (gone: Part<'id'>) => Parts,
): SQL => {
  const gone = remove('gone', articles, {
    where: sql`${and(isOwn(id, accountId), mayMove('delete', ctx.now()), seen && eq(articles.updatedAt, seen))}`,
    returning: { id: articles.id },
  })
  return statement({
    parts: [gone, also(gone), removeLinks(gone, ctx.now()), supersedeApprovals(ctx, gone, accountId, false)],
    audit: audit(ctx, { of: gone, account: accountId, action: 'article.delete', on: ['article', gone.c.id] }),
    answer: { id: gone.c.id },
  })
}
