import type { changeSets } from '../../../schema/changes.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type ListChangesInput, SHOWN } from './operations.ts'
import { type ChangeRow, changesOf, setById, setsOf } from './queries.ts'
import { countsOf, differenceOfTexts } from './rules.ts'

type Row = typeof changeSets.$inferSelect

const setAnswer = (ctx: Ctx, set: Row, counts: Readonly<Record<string, number>>) => ({
  id: set.id,
  project_id: set.projectId,
  name: set.name,
  status: set.state,
  approved: set.isApproved,
  error: set.error,
  counts: countsOf(counts),
  page: `${ctx.settings.publicUrl}/p/${set.projectId}/changes/${set.id}`,
  created_at: set.createdAt.toISOString(),
  updated_at: set.updatedAt.toISOString(),
})

const changeAnswer = ({ change, article }: ChangeRow) => {
  const { content: _, ...after } = change.fields
  const { content: __, ...before } = change.before
  return {
    article_id: change.articleId,
    title: article.title,
    url: article.url,
    status: change.state,
    base_revision: change.baseRevision,
    error: change.error,
    fields: Object.keys(change.fields),
    difference: differenceOfTexts(change.before, change.fields),
    before,
    after,
  }
}

/** Returns a change set with its changes. Throws 404, 403. */
export const readSet = async (ctx: Ctx, id: number) => {
  const { rows, changes } = await ctx.read((owner) => ({
    rows: setById(ctx.db, owner, id),
    changes: changesOf(ctx.db, id),
  }))
  const [row] = rows
  return { ...owned(row && { row, mine: row.mine }, 'change set'), changes }
}

/** Returns a change set with the difference and the state of each article. Throws 404, 403. */
export const showChanges = async (ctx: Ctx, id: number) => {
  const { set, changes } = await readSet(ctx, id)
  const counts: Record<string, number> = {}
  for (const { change } of changes) counts[change.state] = (counts[change.state] ?? 0) + 1
  return { change_set: { ...setAnswer(ctx, set, counts), changes: changes.map(changeAnswer) } }
}

/** Lists the change sets of a project, newest first. Throws 404, 403. */
export const listChanges = async (ctx: Ctx, projectId: number, { limit }: ListChangesInput) => {
  const most = Math.min(limit ?? SHOWN.default, SHOWN.max)
  const { results } = await readWithProject(ctx, projectId, setsOf(ctx.db, projectId, most))
  return { change_sets: results.map(({ set, counts }) => setAnswer(ctx, set, counts)) }
}
