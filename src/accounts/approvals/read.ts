import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { readPage } from '../projects/scope.ts'
import type { ListApprovalsInput } from './operations.ts'
import { type ApprovalDetail, approvalById, approvalForJob, articleOwner, listApprovalRows } from './queries.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the account's approvals, newest first. Throws 404 and 403 for a project or an article that is not the account's. */
export const listApprovals = (ctx: Ctx, input: ListApprovalsInput) => {
  const { article_id: articleId } = input
  return readPage(
    ctx,
    input,
    PAGE,
    (owner, paging) => listApprovalRows(ctx.db, owner, input, paging),
    articleId === undefined ? undefined : { what: 'article', owner: (owner) => articleOwner(ctx.db, owner, articleId) },
  )
}

/** Returns one approval of the account. Throws 404 and 403. */
export const getApproval = async (ctx: Ctx, id: number): Promise<ApprovalDetail> => {
  const [[row]] = await ctx.read((owner) => [approvalById(ctx.db, owner, id)])
  return owned(row && { row, mine: row.mine }, 'approval')
}

/** Returns an approval for its job. Without a call, it must be approved or superseded, and its article must still wait. */
export const approvalToSend = async (ctx: Ctx, id: number) => {
  const [[row]] = await ctx.read((owner) => [approvalForJob(ctx.db, owner, id)])
  if (!row || row.call) return row
  const isDecided = row.status === 'approved' || row.status === 'superseded'
  return isDecided && (row.waits || row.kind === 'suggestion') ? row : undefined
}
