import { readWithProject } from '../../../accounts/projects/scope.ts'
import { pageOf, pagingOf } from '../../../platform/db/paging.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { ListAnswersInput, ListScansInput } from '../operations.ts'
import { answerRow, sandboxed, scanRow } from './present.ts'
import { answerRows, scanRows } from './queries.ts'

const ANSWERS = { default: 20, max: 100 }
const SCANS = { default: 50, max: 200 }

/** Returns the raw answers behind every number, newest first. Throws 404, 403. */
export const listAnswers = async (ctx: Ctx, input: ListAnswersInput) => {
  const paging = pagingOf(input, ANSWERS)
  const {
    results: [found],
  } = await readWithProject(ctx, input.project_id, [answerRows(ctx.db, input.project_id, input, paging)] as const)
  const { rows, page } = pageOf(found, paging)
  return { answers: rows.map(answerRow), ...page, ...sandboxed(rows.find(({ sandbox }) => sandbox)) }
}

/** Returns the scans of a project with what each cost, newest first. Throws 404, 403. */
export const listScans = async (ctx: Ctx, input: ListScansInput) => {
  const paging = pagingOf(input, SCANS)
  const {
    results: [found],
  } = await readWithProject(ctx, input.project_id, [scanRows(ctx.db, input.project_id, paging)] as const)
  const { rows, page } = pageOf(found, paging)
  return { scans: rows.map(scanRow), ...page }
}
