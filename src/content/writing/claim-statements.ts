import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { creditBudget, creditsSpent, creditsThisMonth } from '../../accounts/policy/parts.ts'
import { PLANS_WITH_WRITER } from '../../platform/accounts/credits.ts'
import { spendCredits } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { excluded, insert, typedValue, update } from '../../platform/db/write-parts.ts'
import { changeArticle } from '../articles/parts.ts'
import { mayMove, showsNothing, statusAllows } from '../articles/standing-parts.ts'
import { statusAfter } from '../articles/transitions.ts'
import { NEXT_STEP } from './held.ts'
import { queueWriting } from './jobs.ts'
import { progressOf } from './rules.ts'

/** Time before its date at which the writer claims an article. */
export const WINDOW = sql`interval '72 hours'`
/** Articles looked at, and taken, in one go; being written at once in one project. */
const LOOKED_AT = sql.raw('200')
const TAKEN_AT_ONCE = sql.raw('25')
const PER_PROJECT = sql.raw('3')
/** Content as long as this is the caller's own. */
const OWN_CONTENT = sql.raw('2000')
/** Delay until the next attempt at an article of an account without credit. */
const WITHOUT_CREDIT = sql`interval '1 hour'`
const NO_CREDIT =
  'The writer could not begin: the account has no article credit left. It tries again when there is one; to write the article yourself, save its content with PUT /articles/'

const OVER_BUDGET =
  'The writer did not begin: the monthly budget of the project’s policy has no article credit left. It begins when a person raises it, or next month (UTC).'

const instant = (now: Date): SQL => typedValue(articles.scheduledAt, now)

/**
 * SQL condition: the writer may claim a planned article now. Its date is near, nobody claimed it, it was not written before.
 *
 * The words it has are notes. Once its date has come, only an article with nothing to show is claimed, also if it was given up
 * for that; any other is published as it is.
 */
const isOpen = (now: Date): SQL => {
  const { scheduledAt, writeAfter, publishState } = articles
  const nothing = showsNothing()
  return sql`${and(mayMove('write', now), isNull(articles.claimedAt), isNull(articles.writtenAt))}
    and ${scheduledAt} <= ${instant(now)} + ${WINDOW}
    and (${writeAfter} is null or ${writeAfter} <= ${instant(now)}) and length(${articles.content}) < ${OWN_CONTENT}
    and (${scheduledAt} > ${instant(now)} or ${nothing})
    and (${oneOf(publishState, ['idle'])} and ${articles.dueTakenAt} is null or ${oneOf(publishState, ['failed'])} and ${nothing})`
}

/** Open articles, the nearest of each project first, as many as it may still have written at once. */
const openArticles = (now: Date, only: number | null) => {
  const isWanted = only === null ? undefined : eq(articles.id, only)
  const open = select(
    'open',
    {
      id: articles.id,
      accountId: articles.accountId,
      projectId: articles.projectId,
      scheduledAt: articles.scheduledAt,
      turn: sql`row_number() over (partition by ${articles.projectId} order by ${articles.scheduledAt}, ${articles.id})`,
    },
    sql`from ${articles}
      join ${projects} on ${eq(projects.id, articles.projectId)} and ${eq(projects.status, 'Active')}
      join ${accounts} on ${eq(accounts.id, articles.accountId)} and ${isNull(accounts.suspendedAt)} and ${accounts.plan} in (${PLANS_WITH_WRITER})
      where ${and(isOpen(now), isWanted)}`,
  )
  const { id, accountId, projectId, scheduledAt, turn } = open.c
  const writing = sql`(select count(*) from ${articles} where ${articles.projectId} = ${projectId} and ${statusAllows('finish_generation')})`
  const near = select(
    'near',
    { id, accountId, projectId, scheduledAt },
    sql`from ${open.rows} where ${turn} <= ${PER_PROJECT} and ${turn} + ${writing} <= ${PER_PROJECT}
      order by ${scheduledAt}, ${id} limit ${LOOKED_AT}`,
    { materialized: true },
  )
  return { open, near }
}

/** The accounts' credits and the projects' budgets, locked, and which of the articles they are enough for. */
const affordable = (near: Part<'id' | 'accountId' | 'projectId' | 'scheduledAt'>, now: Date) => {
  const balances = read(
    'balances',
    accounts,
    { id: accounts.id, credits: accounts.articleCredits },
    {
      where: sql`${accounts.id} in (select ${near.c.accountId} from ${near.rows})`,
      orderBy: asc(accounts.id),
      lock: 'no key update',
      skipLocked: true,
    },
  )
  const { id, accountId, projectId, scheduledAt } = near.c
  const turnIn = sql`row_number() over (partition by ${projectId} order by ${scheduledAt}, ${id})`
  const budgets = read(
    'budgets',
    projects,
    { id: projects.id, used: creditsThisMonth(now), most: creditBudget },
    {
      where: sql`${projects.id} in (select ${projectId} from ${near.rows}) and ${balances.hasRows}`,
      orderBy: asc(projects.id),
      lock: 'no key update',
      skipLocked: true,
    },
  )
  const ranked = select(
    'ranked',
    {
      id,
      scheduledAt,
      credits: balances.c.credits,
      nth: sql`row_number() over (partition by ${accountId} order by ${scheduledAt}, ${id})`,
      isOverBudget: sql`${budgets.c.used} + ${turnIn} > ${budgets.c.most}`,
    },
    sql`from ${near.rows} join ${balances.rows} on ${eq(balances.c.id, accountId)} join ${budgets.rows} on ${eq(budgets.c.id, projectId)}`,
    { materialized: true },
  )
  const chosen = select(
    'chosen',
    { id: ranked.c.id },
    sql`from ${ranked.rows} where ${ranked.c.nth} <= ${ranked.c.credits} and not ${ranked.c.isOverBudget}
      order by ${ranked.c.scheduledAt}, ${ranked.c.id} limit ${TAKEN_AT_ONCE}`,
    { materialized: true },
  )
  return { balances, budgets, ranked, chosen }
}

/** The writings begun: a new one each, or the one that was given up before, from its beginning. */
const beginWritings = (taken: Part<'id'>, locked: Part<'id' | 'content'>, now: Date) => {
  const begun = {
    kind: 'scheduled',
    notes: locked.c.content,
    creditTaken: true,
    updatedAt: now,
  } as const
  return insert(
    'begun',
    articleWritings,
    { ...begun, articleId: taken.c.id, startedAt: now },
    {
      from: [taken, locked],
      where: eq(locked.c.id, taken.c.id),
      onConflict: {
        columns: [articleWritings.articleId],
        set: {
          ...begun,
          notes: excluded(articleWritings.notes),
          brief: null,
          outline: null,
          sections: [],
          repairs: 0,
          failures: 0,
          step: NEXT_STEP,
        },
      },
    },
  )
}

type Ranked = ReturnType<typeof affordable>['ranked']

/** Articles their account has no credit for: they say so, and wait. */
const noteUnpaid = (ranked: Ranked, locked: Part<'id'>, now: Date) =>
  changeArticle(
    'unpaid',
    {
      generationError: sql`${NO_CREDIT}::text || ${articles.id} || '.'`,
      writeAfter: sql`${instant(now)} + ${WITHOUT_CREDIT}`,
    },
    {
      where: sql`${articles.id} in (select ${ranked.c.id} from ${ranked.rows} where ${ranked.c.nth} > ${ranked.c.credits} and not ${ranked.c.isOverBudget})
        and ${articles.id} not in (select ${locked.c.id} from ${locked.rows})
        and ${statusAllows('write')} and ${isNull(articles.writingStartedAt)}`,
    },
  )

/** Articles that the monthly budget of their project's policy has no credit for: they say so, and wait for another month. */
const refuseOverBudget = (ranked: Ranked, now: Date) =>
  changeArticle(
    'over_budget',
    {
      generationError: OVER_BUDGET,
      publishState: 'failed',
      publishError: OVER_BUDGET,
      writeAfter: sql`${instant(now)} + ${WITHOUT_CREDIT}`,
    },
    {
      where: sql`${articles.id} in (select ${ranked.c.id} from ${ranked.rows} where ${ranked.c.isOverBudget})
        and ${statusAllows('write')} and ${isNull(articles.writingStartedAt)}`,
      returning: { accountId: articles.accountId },
    },
  )

/** True if an article did not say so before. */
const isNewlyOverBudget = (over: Part<'id'>): SQL =>
  sql`not exists (select 1 from articles o where o.id = ${over.c.id} and o.publish_error = ${OVER_BUDGET})`

const claimArticles = (chosen: Part<'id'>, now: Date) => {
  const locked = read(
    'locked',
    articles,
    { id: articles.id, content: articles.content },
    {
      where: sql`${articles.id} in (select ${chosen.c.id} from ${chosen.rows}) and ${isOpen(now)}`,
      orderBy: asc(articles.id),
      lock: 'no key update',
      skipLocked: true,
    },
  )
  const taken = changeArticle(
    'taken',
    {
      status: statusAfter('write'),
      writingStartedAt: now,
      generationError: null,
      progress: progressOf(null, 0),
      updatedAt: now,
    },
    {
      from: [locked],
      where: eq(articles.id, locked.c.id),
      returning: { accountId: articles.accountId, projectId: articles.projectId },
    },
  )
  const spent = select(
    'spent',
    { projectId: taken.c.projectId, count: sql`count(*)` },
    sql`from ${taken.rows} group by ${taken.c.projectId}`,
  )
  const budgeted = update('budgeted', projects, creditsSpent(now, spent.c.count), {
    from: [spent],
    where: eq(projects.id, spent.c.projectId),
  })
  const counts = select(
    'counts',
    { accountId: taken.c.accountId, count: sql`count(*)` },
    sql`from ${taken.rows} group by ${taken.c.accountId}`,
  )
  return { locked, taken, counts, spending: [spent, budgeted] }
}

/**
 * Takes planned articles over, a credit for each, in one statement: the account's row is locked first, then the article's,
 * and both are asked again as they then are. Who claims an article at the same moment either finds it taken or keeps it.
 *
 * `only` narrows it to one article. Articles the account or their project's budget has no credit for say so. Answers `taken` and `unpaid`.
 */
export const claimToWrite = (now: Date, only: number | null): SQL => {
  const { open, near } = openArticles(now, only)
  const { balances, budgets, ranked, chosen } = affordable(near, now)
  const { locked, taken, counts, spending } = claimArticles(chosen, now)
  const unpaid = noteUnpaid(ranked, locked, now)
  const over = refuseOverBudget(ranked, now)
  const byCron = { actor: () => 'cron:minute', now: () => now }
  return statement({
    parts: [
      open,
      near,
      balances,
      budgets,
      ranked,
      chosen,
      locked,
      taken,
      counts,
      spending,
      spendCredits(counts),
      beginWritings(taken, locked, now),
      queueWriting(taken, now),
      unpaid,
      over,
    ],
    audit: [
      audit(byCron, {
        of: taken,
        account: taken.c.accountId,
        action: 'article.taken_by_writer',
        on: ['article', taken.c.id],
      }),
      audit(byCron, {
        of: over,
        account: over.c.accountId,
        action: 'article.writing_failed',
        on: ['article', over.c.id],
        detail: { reason: OVER_BUDGET, rule: 'monthly_budget' },
        where: isNewlyOverBudget(over),
        name: 'audited_over_budget',
      }),
    ],
    answer: { taken: countOf(taken), unpaid: countOf(unpaid) },
    answerFrom: ONE_ROW,
  })
}
