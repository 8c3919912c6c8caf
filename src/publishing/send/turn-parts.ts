import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { type Gate, gateOf } from '../../accounts/approvals/parts.ts'
import { policyPart } from '../../accounts/policy/parts.ts'
import { giveTurn } from '../../accounts/projects/parts.ts'
import { holdArticle, keepRevision, oldArticle } from '../../content/articles/parts.ts'
import { mayMove, statusAllows } from '../../content/articles/standing-parts.ts'
import { countPublication } from '../../platform/accounts/parts.ts'
import { at } from '../../platform/db/instant.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import type { Changes } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type BegunDelivery, isOpen } from '../deliveries/parts.ts'
import { PUBLICATIONS_PER_MINUTE } from './rules.ts'

/** Claim of a publication: the article as it was read, and its project's turn. */
export type Claim = {
  accountId: number
  projectId: number
  articleId: number
  lease: Date
  /** Time from which the project's next article may be sent, though this one has not ended. */
  turnUntil: Date
  /** The revision that was read. */
  readRevision: number
  /** Changes by publication of an article nobody claimed, its new revision among them. */
  changes?: Changes<typeof articles> | undefined
  /** True if its date sends it: one that was moved, or taken back, since it was read does not. */
  onDate: boolean
  /** The platform it goes to. */
  target: string
  /** True if no place of the day's publications is taken: nothing goes live, or its place was taken before. */
  isSettled: boolean
  /** True if the clock sends it, which has to wait for the account's next minute; a call by hand is only counted. */
  byClock: boolean
  /** Question to the policy; none for what is under way already, and for drafts. */
  gate?: Gate | undefined
}

/** Result of a claim: the delivery if it was made, else the obstacle. No row: the account or project is gone. */
export type ClaimRow = {
  id: number | null
  attempts: number | null
  /** The article may not be published now: somebody holds it, or it is not as it was read. */
  held: boolean
  /** Another article of the project is being published. */
  busy: boolean
  /** The account has had its publications of this minute. */
  full: boolean
  /** The rule of the project's policy that forbids it. */
  rule: PolicyRule | null
}

/** The clock minute of an instant. */
const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

const lockAccount = ({ accountId }: Claim, now: Date) =>
  read(
    'account',
    accounts,
    {
      id: accounts.id,
      spent: sql`coalesce(${accounts.publishMinute} = ${at(minuteOf(now))} and ${accounts.publishedInMinute} >= ${PUBLICATIONS_PER_MINUTE}::int, false)`,
    },
    { where: eq(accounts.id, accountId), lock: 'no key update' },
  )

type Locked = ReturnType<typeof lockAccount>

/** The open delivery's own turn is no obstacle to it. */
const lockProject = ({ projectId }: Claim, open: number | null, account: Locked, now: Date) =>
  read(
    'project',
    projects,
    {
      id: projects.id,
      busy: sql`coalesce(${projects.publishingUntil} > ${at(now)} and ${projects.publishingDeliveryId} is distinct from ${open}::int, false)`,
    },
    {
      from: [account],
      where: sql`${and(eq(projects.id, projectId), eq(projects.status, 'Active'))}`,
      lock: 'no key update',
    },
  )

/**
 * Locks account, project, the `open` delivery that is claimed again, and article, and claims the article if it is its turn.
 *
 * The turn is read from the locked rows. `asRead`, given if the open delivery is still open: further conditions on what was
 * read.
 */
export const claimTurn = (ctx: Ctx, claim: Claim, open: number | null, asRead: (isStillOpen: SQL) => SQL) => {
  const now = ctx.now()
  const account = lockAccount(claim, now)
  const project = lockProject(claim, open, account, now)
  const ongoing = read(
    'ongoing',
    deliveries,
    { id: deliveries.id },
    { from: [project], where: sql`${deliveries.id} = ${open}::int and ${isOpen()}`, lock: 'no key update' },
  )
  const unclaimed = claim.changes ? isNull(articles.claimedAt) : undefined
  const ready = and(
    eq(articles.revision, claim.readRevision),
    unclaimed,
    mayMove('publish', now),
    claim.onDate ? and(statusAllows('go_live'), isNotNull(articles.dueTakenAt)) : undefined,
    asRead(ongoing.hasRows),
  )
  const seen = read(
    'seen',
    articles,
    { id: articles.id, ready: sql`(${ready})` },
    {
      from: [project],
      where: sql`${and(eq(articles.id, claim.articleId), eq(articles.accountId, claim.accountId))}`,
      lock: 'no key update',
    },
  )
  const gate = claim.gate && gateOf(claim.gate, ctx, seen)
  const { target, articleId, isSettled } = claim
  const isApproved = gate?.isApproved ?? sql`false`
  const policy = policyPart(claim.projectId, { activity: 'publish', now, target, articleId, isSettled, isApproved })
  const turn = select(
    'turn',
    { id: seen.c.id },
    sql`from ${account.rows}, ${project.rows}, ${seen.rows}, ${policy.rows}
      where ${policy.c.rule} is null and ${seen.c.ready} and not ${project.c.busy} and not (${account.c.spent} and ${claim.byClock}::boolean)`,
    { materialized: true },
  )
  const article = holdArticle(claim.lease, {
    from: [turn],
    where: eq(articles.id, turn.c.id),
    ...(claim.changes ? { also: claim.changes } : {}),
  })
  // What is read here stood there when the statement began: the revision before the changes.
  const old = oldArticle({ where: eq(articles.id, article.c.id), from: [article] })
  const kept = claim.changes && [old, keepRevision(old, article)]
  const parts: Parts = [
    account,
    project,
    ongoing,
    seen,
    gate?.approved,
    policy,
    turn,
    article,
    kept,
    gate?.settle(article),
  ]
  return { account, project, policy, seen, article, parts }
}

type Turn = ReturnType<typeof claimTurn>

/** Parts that give the project's turn to the delivery and count the publication for the account. */
export const noteTurn = ({ accountId, projectId, turnUntil }: Claim, delivery: BegunDelivery, now: Date): Parts => [
  giveTurn(projectId, delivery, turnUntil),
  countPublication(accountId, minuteOf(now), delivery),
]

/** Returns the result of the claim, as a `ClaimRow`. */
export const claimAnswer = ({ account, project, policy, seen }: Turn, delivery: BegunDelivery) => ({
  answer: {
    id: delivery.c.id,
    attempts: delivery.c.attempts,
    held: sql`not coalesce(${seen.c.ready}, false)`,
    busy: project.c.busy,
    full: account.c.spent,
    rule: policy.c.rule,
  },
  answerFrom: sql`${account.rows} cross join ${project.rows} cross join ${policy.rows} left join ${seen.rows} on true left join ${delivery.rows} on true`,
})
