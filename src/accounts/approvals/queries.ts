import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { memberships, people } from '../../../schema/people.ts'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { Db } from '../../platform/db/client.ts'
import { newestPage, ownedBy, type Paging } from '../../platform/db/paging.ts'
import { choiceOf } from '../notices/choices.ts'
import type { ListApprovalsInput } from './schemas.ts'

const rowColumns = {
  id: approvals.id,
  accountId: approvals.accountId,
  projectId: approvals.projectId,
  kind: approvals.kind,
  subject: approvals.subject,
  articleId: approvals.articleId,
  title: sql<string>`${approvals.proposed} ->> 'title'`,
  target: approvals.target,
  status: approvals.status,
  comment: approvals.comment,
  requestedBy: approvals.requestedBy,
  decidedBy: approvals.decidedBy,
  decidedAt: approvals.decidedAt,
  expiresAt: approvals.expiresAt,
  createdAt: approvals.createdAt,
}

export type ApprovalRow = Awaited<ReturnType<typeof listApprovalRows>>[number]

export const listApprovalRows = (db: Db, owner: SQL, input: ListApprovalsInput, paging: Paging) => {
  const { status, kind, article_id: article } = input
  const { where, order } = newestPage(
    approvals,
    ownedBy(approvals, owner, input.project_id),
    {
      kind: status?.length === 1 && status[0] !== undefined ? [approvals.status, status[0]] : undefined,
      kinds: status !== undefined && status.length > 1 ? status.map((one) => oneOf(approvals.status, [one])) : [],
      filters: [
        kind === undefined ? undefined : inArray(approvals.kind, kind),
        article === undefined ? undefined : eq(approvals.articleId, article),
      ],
    },
    paging,
  )
  return db.select(rowColumns).from(approvals).where(where).orderBy(order)
}

/** The version of an article that readers see: what a delivery brought to a target last. */
const live = sql<DeliveredArticle | null>`(select ${deliveries.payload} from ${deliveries}
  where ${deliveries.articleId} = ${approvals.articleId} and ${deliveries.live} and ${oneOf(deliveries.status, ['delivered'])}
  order by ${deliveries.id} desc limit 1)`

const detailColumns = {
  ...rowColumns,
  proposed: approvals.proposed,
  revision: approvals.revision,
  reviewExpiresAt: approvals.reviewExpiresAt,
  hasReviewLink: sql<boolean>`${isNotNull(approvals.reviewTokenHash)}`,
  live,
}

export type ApprovalDetail = Omit<Awaited<ReturnType<typeof approvalById>>[number], 'mine'>

/** Returns an approval by its id, of any account; `mine` is true if the account owns it. */
export const approvalById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...detailColumns, mine: sql<boolean>`coalesce(${approvals.accountId} = ${owner}, false)` })
    .from(approvals)
    .where(eq(approvals.id, id))

/** Returns the approval that a review link leads to. */
export const approvalByToken = (db: Db, tokenHash: string) =>
  db
    .select(detailColumns)
    .from(approvals)
    .innerJoin(accounts, eq(accounts.id, approvals.accountId))
    .where(and(eq(approvals.reviewTokenHash, tokenHash), isNull(accounts.suspendedAt)))

/** Returns what a job needs of an approval that was decided. */
export const approvalForJob = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: approvals.id,
      projectId: approvals.projectId,
      kind: approvals.kind,
      subject: approvals.subject,
      articleId: approvals.articleId,
      status: approvals.status,
      title: sql<string>`${approvals.proposed} ->> 'title'`,
      target: approvals.target,
      call: approvals.call,
      /** True if its article, where it has one, still waits for it. */
      waits: sql<boolean>`coalesce((select ${eq(articles.publishState, 'awaiting_approval')} from ${articles} where ${articles.id} = ${approvals.articleId}), true)`,
      toldAt: approvals.toldAt,
      remindedAt: approvals.remindedAt,
      expiresAt: approvals.expiresAt,
      createdAt: approvals.createdAt,
    })
    .from(approvals)
    .where(and(eq(approvals.id, id), eq(approvals.accountId, owner)))

/** The people of an account who are mailed at once of what waits for an approval, by their roles, in the order they came. */
export const deciders = (db: Db, owner: SQL) =>
  db
    .select({ id: people.id, email: people.email, role: memberships.role })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(
      and(
        eq(memberships.accountId, owner),
        eq(people.emailVerified, true),
        sql`${choiceOf(people.id, 'approval_wanted')} = 'at_once'`,
      ),
    )
    .orderBy(memberships.createdAt, people.id)
    .limit(50)
