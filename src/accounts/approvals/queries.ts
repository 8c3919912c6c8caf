import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { literals, oneOf } from '../../../schema/columns.ts'
import { deliveries, sentArticle } from '../../../schema/deliveries.ts'
import { memberships, people } from '../../../schema/people.ts'
import { isDeputyNow } from '../../../schema/policies.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import type { SentArticle } from '../../../schema/values/delivered-article.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { newestPage, ownedBy, type Paging } from '../../platform/db/paging.ts'
import { choiceOf } from '../notices/choices.ts'
import type { ListApprovalsInput } from './operations.ts'

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

/** Selects a page of approvals, newest first, with one row more than the limit. */
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

/** Returns a query for an article. `mine` is true if the account owns it. */
export const articleOwner = (db: Db, owner: SQL, id: number) =>
  db
    .select({ mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)` })
    .from(articles)
    .where(eq(articles.id, id))

/** Selects those of some approvals that are of the account's project, in any state, with what each would send. */
export const approvalsByIds = (db: Db, owner: SQL, projectId: number, ids: readonly number[]) =>
  db
    .select({ ...rowColumns, proposed: approvals.proposed })
    .from(approvals)
    .where(and(inArray(approvals.id, [...ids]), eq(approvals.accountId, owner), eq(approvals.projectId, projectId)))

/**
 * Live version of an article: the payload of its last successful delivery.
 *
 * The SQL names its tables, since drizzle omits the table from a column when a query selects from only one.
 */
const live = sql<SentArticle | null>`(select ${sentArticle('d')} from ${deliveries} d
  where d.article_id = ${approvals}.article_id and d.live and d.status in ${literals(ARRIVED_STATUSES)}
  order by d.id desc limit 1)`

const detailColumns = {
  ...rowColumns,
  proposed: approvals.proposed,
  result: approvals.result,
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

/** Returns the approval of a review link, unless its account is suspended. */
export const approvalByToken = (db: Db, tokenHash: string) =>
  db
    .select(detailColumns)
    .from(approvals)
    .innerJoin(accounts, eq(accounts.id, approvals.accountId))
    .where(and(eq(approvals.reviewTokenHash, tokenHash), isNull(accounts.suspendedAt)))

/** Returns the columns of an approval that its jobs need. */
export const approvalForJob = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: approvals.id,
      accountId: approvals.accountId,
      projectId: approvals.projectId,
      kind: approvals.kind,
      subject: approvals.subject,
      articleId: approvals.articleId,
      status: approvals.status,
      title: sql<string>`${approvals.proposed} ->> 'title'`,
      target: approvals.target,
      proposed: approvals.proposed,
      live,
      call: approvals.call,
      /** True if its article still waits for approval, or it has no article. */
      waits: sql<boolean>`coalesce((select a.publish_state in ${literals(['awaiting_approval'] satisfies PublishState[])}
        from ${articles} a where a.id = ${approvals}.article_id), true)`,
      toldAt: approvals.toldAt,
      remindedAt: approvals.remindedAt,
      warnedAt: approvals.warnedAt,
      expiresAt: approvals.expiresAt,
      createdAt: approvals.createdAt,
    })
    .from(approvals)
    .where(and(eq(approvals.id, id), eq(approvals.accountId, owner)))

/** Returns an approval with its call and the key that asked. `key` is null if a job asked, or the key no longer exists. */
export const approvedCallById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: approvals.id,
      kind: approvals.kind,
      status: approvals.status,
      call: approvals.call,
      result: approvals.result,
      requestedBy: approvals.requestedBy,
      expiresAt: approvals.expiresAt,
      caller: {
        id: accounts.id,
        plan: accounts.plan,
        projectSlots: accounts.projectSlots,
      },
      key: {
        id: apiKeys.id,
        name: apiKeys.name,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
      },
    })
    .from(approvals)
    .innerJoin(accounts, eq(accounts.id, approvals.accountId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, approvals.accountId),
        eq(apiKeys.id, sql`substring(${approvals.requestedBy} from '^key:([0-9]{1,9})$')::int`),
      ),
    )
    .where(and(eq(approvals.id, id), eq(approvals.accountId, owner)))

/**
 * Returns the people whose role lets them decide an approval and who chose mail at once, in the order they joined, and the
 * deputy of an owner who is away, whatever they chose. Nobody if the account is closed.
 */
export const deciders = (db: Db, owner: SQL, approvalId: number) => {
  const project = sql`(select ${approvals.projectId} from ${approvals} where ${eq(approvals.id, approvalId)})`
  const isDeputy = isDeputyNow(sql`${people.id}`, project)
  return db
    .select({ id: people.id, email: people.email, role: memberships.role, isDeputy: sql<boolean>`${isDeputy}` })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(
      and(
        eq(memberships.accountId, owner),
        isServed(memberships.accountId),
        eq(people.emailVerified, true),
        or(
          isDeputy,
          and(
            or(
              oneOf(memberships.role, ['owner', 'member']),
              and(eq(memberships.role, 'client'), eq(memberships.projectId, project)),
            ),
            sql`${choiceOf(people.id, 'approval_wanted')} = 'at_once'`,
          ),
        ),
      ),
    )
    .orderBy(memberships.createdAt, people.id)
    .limit(50)
}
