import { and, eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../../schema/columns.ts'
import { projects } from '../../../../schema/projects.ts'
import type { Engine } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityModels as offers,
  visibilityPrompts as prompts,
  visibilityScans as scans,
} from '../../../../schema/visibility.ts'
import type { Db } from '../../../platform/db/client.ts'
import { at } from '../../../platform/db/instant.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import { expectedUsd, MAX_AUTO } from '../rules.ts'

/** Returns midnight UTC of an instant's day. */
const dayOf = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/** Returns the seconds until the next midnight UTC. */
export const untilTomorrowS = (now: Date): number => Math.ceil((dayOf(now).getTime() + DAY_MS - now.getTime()) / 1_000)

/**
 * Returns an expression: the number of manual scans of the day. One with several samples counts as many times. Failed scans that
 * cost nothing are not counted.
 */
export const manualScansOn = (projectId: number | SQL, now: Date): SQL =>
  sql`(select coalesce(sum(${scans.samples}), 0)::int from ${scans} where ${scans.projectId} = ${projectId}::int and ${scans.kind} = 'manual'
    and ${scans.startedAt} >= ${at(dayOf(now))} and not (${oneOf(scans.state, ['failed'])} and ${scans.costUsd} = 0))`

const activePrompts = (projectId: number | SQL): SQL =>
  sql`(select count(*)::int from ${prompts} where ${prompts.projectId} = ${projectId}::int and ${prompts.removedAt} is null)`

/** Returns an expression: the most that one sample of a project's prompts is expected to cost, in dollars. */
export const scanUsd = (projectId: SQL): SQL =>
  sql`(${expectedUsd(1, 1)}::float8 / ${MAX_AUTO}::int * greatest(${MAX_AUTO}::int, ${activePrompts(projectId)}))`

/** Condition: a scan of the project is running. */
export const isScanning = (projectId: number): SQL =>
  sql`exists (select 1 from ${scans} where ${scans.projectId} = ${projectId}::int and ${scans.state} = 'running')`

/** Project data for a scan, with its present prompts and scans. */
export type ScanBasis = {
  active: boolean
  account_id: number
  business_name: string
  business_description: string
  content_pillars: string[]
  competitor_websites: string[]
  target_audience: string[]
  language: string
  keyword_region: string
  topics: string
  used: number
  prompts: number
  scanning: boolean
}

/** Returns the query for the data from which a scan of the project starts. */
export const basisOf = (projectId: number, now: Date): SQL => sql`
    select p.status = 'Active' as active, p.account_id, p.business_name, p.business_description, p.content_pillars,
      p.competitor_websites, p.target_audience, p.language, p.keyword_region, p.topics,
      ${manualScansOn(projectId, now)} as used, ${activePrompts(projectId)} as prompts, ${isScanning(projectId)} as scanning
    from projects p where p.id = ${projectId}::int`

/** Selects the data from which a scan of the project starts. */
export const scanBasis = (db: Db, projectId: number, now: Date) => db.execute<ScanBasis>(basisOf(projectId, now))

/** Selects the fields with which a question of a scan is asked and judged. */
export const scanToAsk = (db: Db, scanId: number) =>
  db
    .select({
      state: scans.state,
      kind: scans.kind,
      accountId: scans.accountId,
      expectedUsd: scans.expectedUsd,
      country: scans.location,
      language: scans.language,
      models: scans.models,
      projectId: scans.projectId,
      projectStatus: projects.status,
      businessName: projects.businessName,
      businessAliases: projects.businessAliases,
      websiteKey: projects.websiteKey,
      competitors: projects.competitorWebsites,
    })
    .from(scans)
    .innerJoin(projects, eq(projects.id, scans.projectId))
    .where(eq(scans.id, scanId))

export type ScanToAsk = Awaited<ReturnType<typeof scanToAsk>>[number]

/** Returns the models of an engine from the stored list. */
export const keptModels = (db: Db, engine: Engine) =>
  db.select({ models: offers.models, readAt: offers.readAt }).from(offers).where(eq(offers.engine, engine))

/** Returns the open questions of a scan to one engine, those that can be asked now first. */
export const openQuestions = (db: Db, scanId: number, engine: Engine, limit: number) =>
  db
    .select({
      id: answers.id,
      prompt: prompts.prompt,
      tries: answers.tries,
      notBefore: answers.notBefore,
      handedAt: answers.handedAt,
      taskTag: answers.taskTag,
      taskId: answers.taskId,
    })
    .from(answers)
    .innerJoin(prompts, eq(prompts.id, answers.promptId))
    .where(and(eq(answers.scanId, scanId), eq(answers.engine, engine), eq(answers.state, 'open')))
    .orderBy(sql`${answers.notBefore} nulls first`, answers.id)
    .limit(limit)

export type OpenQuestion = Awaited<ReturnType<typeof openQuestions>>[number]

/** Returns every answer of a scan as it is counted; at most as many as prompts, engines and samples allow. */
export const answersOfScan = (db: Db, scanId: number) =>
  db
    .select({
      promptId: answers.promptId,
      engine: answers.engine,
      state: answers.state,
      reason: answers.reason,
      citations: answers.citations,
      model: answers.model,
      costUsd: answers.costUsd,
    })
    .from(answers)
    .where(eq(answers.scanId, scanId))
    .orderBy(answers.id)
