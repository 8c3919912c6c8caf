import { and, asc, desc, eq, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import { oneOf } from '../../../../schema/columns.ts'
import type { EngineCounts } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityPrompts as prompts,
  visibilityScans as scans,
} from '../../../../schema/visibility.ts'
import type { Db } from '../../../platform/db/client.ts'
import { newestIds, type Paging } from '../../../platform/db/paging.ts'
import type { ListAnswersInput } from '../operations.ts'
import { MAX_ACTIVE } from '../rules.ts'
import { basisOf, type ScanBasis } from '../scan/queries.ts'

/**
 * State of a project besides its numbers. `failure` and `failed_engines` are those of its newest finished scan, if that failed.
 */
export type ScanStatus = ScanBasis & { failure: string | null; failed_engines: EngineCounts[] | null }

/** Selects the basis of a project's next scan, and the failure of its newest finished scan, if that failed. */
export const scanStatus = (db: Db, projectId: number, now: Date) =>
  db.execute<ScanStatus>(sql`
    select basis.*, newest.failure, newest.failed_engines from (${basisOf(projectId, now)}) basis left join lateral (
      select case when ${oneOf(scans.state, ['failed'])} then ${scans.error} end as failure,
        case when ${oneOf(scans.state, ['failed'])} then ${scans.engines} end as failed_engines
      from ${scans} where ${scans.projectId} = ${projectId}::int and ${scans.state} <> 'running' order by ${scans.id} desc limit 1) newest on true`)

/** Selects those of the prompts that a project has, or had. */
export const knownPrompts = (db: Db, projectId: number, keys: readonly string[]) =>
  db
    .select({ key: prompts.promptKey })
    .from(prompts)
    .where(and(eq(prompts.projectId, projectId), inArray(prompts.promptKey, [...keys])))

const SCAN = {
  id: scans.id,
  kind: scans.kind,
  state: scans.state,
  samples: scans.samples,
  location: scans.location,
  sandbox: scans.sandbox,
  models: scans.models,
  asked: scans.asked,
  gaps: scans.gaps,
  answers: scans.answers,
  cited: scans.cited,
  mentioned: scans.mentioned,
  ownCitations: scans.ownCitations,
  competitorCitations: scans.competitorCitations,
  costUsd: scans.costUsd,
  startedAt: scans.startedAt,
  finishedAt: scans.finishedAt,
  error: scans.error,
}

/** Returns the newest completed scans of a project, newest first, with the counts of each engine. */
export const newestScans = (db: Db, projectId: number, limit: number) =>
  db
    .select({ ...SCAN, engines: scans.engines })
    .from(scans)
    .where(and(eq(scans.projectId, projectId), eq(scans.state, sql`'completed'`)))
    .orderBy(desc(scans.id))
    .limit(limit)

export type CompletedScan = Awaited<ReturnType<typeof newestScans>>[number]

/** Returns the newest completed scan of a project, with the data of its views. */
export const newestViews = (db: Db, projectId: number) =>
  db
    .select({ ...SCAN, views: scans.views })
    .from(scans)
    .where(and(eq(scans.projectId, projectId), eq(scans.state, sql`'completed'`)))
    .orderBy(desc(scans.id))
    .limit(1)

/** Returns the numbers of completed scans, newest first. */
export const pastScans = (db: Db, projectId: number, limit: number) =>
  db
    .select(SCAN)
    .from(scans)
    .where(and(eq(scans.projectId, projectId), eq(scans.state, sql`'completed'`)))
    .orderBy(desc(scans.id))
    .limit(limit)

/** Returns the active prompts of a project in the order they were added. */
export const promptsOf = (db: Db, projectId: number) =>
  db
    .select({ id: prompts.id, prompt: prompts.prompt, source: prompts.source })
    .from(prompts)
    .where(and(eq(prompts.projectId, projectId), isNull(prompts.removedAt)))
    .orderBy(asc(prompts.id))
    .limit(MAX_ACTIVE)

/** Returns the settled answers of a project, newest first, one more than the page shows. */
export const answerRows = (db: Db, projectId: number, input: ListAnswersInput, paging: Paging) =>
  db
    .select({
      id: answers.id,
      scanId: answers.scanId,
      promptId: answers.promptId,
      prompt: prompts.prompt,
      engine: answers.engine,
      sample: answers.sample,
      state: answers.state,
      reason: answers.reason,
      text: answers.text,
      citations: answers.citations,
      model: answers.model,
      surface: answers.surface,
      location: answers.location,
      costUsd: answers.costUsd,
      askedAt: answers.askedAt,
      sandbox: scans.sandbox,
    })
    .from(answers)
    .innerJoin(prompts, eq(prompts.id, answers.promptId))
    .innerJoin(scans, eq(scans.id, answers.scanId))
    .where(
      inArray(
        answers.id,
        newestIds(
          answers,
          [
            eq(answers.projectId, projectId),
            ne(answers.state, sql`'open'`),
            paging.beforeId === undefined ? undefined : lt(answers.id, paging.beforeId),
            input.scan_id === undefined ? undefined : eq(answers.scanId, input.scan_id),
            input.prompt_id === undefined ? undefined : eq(answers.promptId, input.prompt_id),
          ],
          paging,
          input.engine?.map((one) => eq(answers.engine, one)),
        ),
      ),
    )
    .orderBy(desc(answers.id))

export type AnswerRow = Awaited<ReturnType<typeof answerRows>>[number]

/** Returns the scans of a project, newest first, one more than the page shows. */
export const scanRows = (db: Db, projectId: number, { limit, offset, beforeId }: Paging) =>
  db
    .select(SCAN)
    .from(scans)
    .where(and(eq(scans.projectId, projectId), beforeId === undefined ? undefined : lt(scans.id, beforeId)))
    .orderBy(desc(scans.id))
    .limit(limit + 1)
    .offset(offset)

export type ScanRow = Awaited<ReturnType<typeof scanRows>>[number]
