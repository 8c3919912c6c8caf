import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { when } from '../../platform/db/steps.ts'
import { moveJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { hasCallsLeft } from '../../platform/lib/request-scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { assess, assessmentQueries } from '../articles/assess.ts'
import { briefOf } from '../articles/brief.ts'
import { MAX_CONTENT } from '../articles/rules.ts'
import { changeArticle } from '../articles/writes.ts'
import { safeHtml } from '../html/sanitize.ts'
import { readContent } from '../seo/assess.ts'
import { assembleWork } from './assemble.ts'
import {
  type Additions,
  type Finished,
  finishWriting,
  giveUpWriting,
  NEXT_STEP,
  type WritingRow,
  writingAtStep,
  writingById,
} from './finish.ts'
import { type Illustrated, illustrate } from './illustrate.ts'
import { writeJob } from './jobs.ts'
import {
  Brief,
  type Outline,
  OutlineShape,
  type Pictures,
  type Writer,
  type WriterInput,
  type WriterResult,
  type WritingBrief,
} from './port.ts'
import { failureOfReport, failuresToMend, nextTry, type Progress, progressOf, RUN_MS } from './rules.ts'

const UNDER_WAY = 'a step of a writing; its beginning and its end are audited'

type WritingChanges = PgUpdateSetSource<typeof articleWritings>

/** Result of a step. */
type StepResult = { brief: WritingBrief; outline: Outline } | { section: string } | { whole: string }

const resultChanges = (result: StepResult): WritingChanges => {
  if ('outline' in result) return { brief: result.brief, outline: result.outline }
  if ('section' in result)
    return { sections: sql`${articleWritings.sections} || ${JSON.stringify([result.section])}::jsonb` }
  return { sections: [result.whole], repairs: sql`${articleWritings.repairs} + 1` }
}

/**
 * Saves the result of a step and starts the next. Returns false if another run was faster or the article is no longer being
 * written.
 */
const saveStep = async (ctx: Ctx, row: WritingRow, result: StepResult, progress: Progress): Promise<boolean> => {
  const { articleId } = row
  const now = ctx.now()
  const { locks, isHeld } = writingAtStep(ctx.db, row)
  const { saved } = await ctx.batch(
    {
      locks,
      ...when(isHeld, {
        movedWriteJob: moveJob(ctx.db, writeJob, articleId, { runAt: now }),
        changeArticle: (isMet) => changeArticle(ctx.db, { progress }, and(eq(articles.id, articleId), isMet)),
        saved: (isMet) =>
          ctx.db
            .update(articleWritings)
            .set({ ...resultChanges(result), step: NEXT_STEP, failures: 0, lastError: null, updatedAt: now })
            .where(and(eq(articleWritings.articleId, articleId), isMet))
            .returning({ step: articleWritings.step }),
      }),
    },
    { unaudited: UNDER_WAY },
  )
  return saved.length > 0
}

/** Records that a step failed for now, and the time of its retry. */
const saveFailure = async (ctx: Ctx, row: WritingRow, reason: string, again: Date): Promise<void> => {
  const { locks, isHeld } = writingAtStep(ctx.db, row)
  await ctx.batch(
    {
      locks,
      ...when(isHeld, {
        movedWriteJob: moveJob(ctx.db, writeJob, row.articleId, { runAt: again }),
        changedArticleWritings: (isMet) =>
          ctx.db
            .update(articleWritings)
            .set({ failures: sql`${articleWritings.failures} + 1`, lastError: reason, updatedAt: ctx.now() })
            .where(and(eq(articleWritings.articleId, row.articleId), isMet)),
      }),
    },
    { unaudited: UNDER_WAY },
  )
}

/** Outcome of a step: the next one can follow, the writing waits or has ended, or there is no writing. */
type StepEnd = 'next' | 'settled' | 'gone'

/** Dependencies of a writing: the writer, and the sources of pictures. */
export type WritingDeps = { writer: Writer; pictures: Pictures }

type Refused = Extract<WriterResult<never>, { kind: 'refused' }>

const refused = (reason: string): Refused => ({ kind: 'refused', reason, retryable: false })

const NOTHING_LEFT = 'None of the written text could be kept: it was neither in the notes nor supported by a link.'
const TOO_LONG = `The written text has more than ${MAX_CONTENT} characters. Give shorter notes.`
const UNREADABLE = 'The text is not readable HTML.'

const outlineOf = (row: WritingRow): Outline | null => (row.outline === null ? null : OutlineShape.parse(row.outline))

const save = async (ctx: Ctx, row: WritingRow, result: StepResult, outline: Outline | null, done: number) => {
  const progress = progressOf(outline, done, 'whole' in result ? row.repairs + 1 : 0)
  return (await saveStep(ctx, row, result, progress)) ? 'next' : 'settled'
}

/** Records a failure. Tries the step again later, or gives the writing up. */
const fail = async (ctx: Ctx, row: WritingRow, failure: Refused): Promise<StepEnd> => {
  const given = { now: ctx.now(), random: ctx.random(), scale: ctx.settings.retryTimeScale }
  const again = failure.retryable
    ? nextTry(row.failures + 1, { ...given, retryAfterS: failure.retryAfterS })
    : undefined
  ctx.log('warn', 'writing.step_failed', { article_id: row.articleId, step: row.step, again: again !== undefined })
  if (again) await saveFailure(ctx, row, failure.reason, again)
  else await giveUpWriting(ctx, row, failure.reason, row.step)
  return 'settled'
}

const plan = async (ctx: Ctx, writer: Writer, row: WritingRow): Promise<StepEnd> => {
  const brief = await briefOf(ctx, row.articleId)
  const planned = await writer.outline({ brief, notes: row.notes })
  if (planned.kind === 'refused') return await fail(ctx, row, planned)
  return await save(ctx, row, { brief, outline: planned.value }, planned.value, 0)
}

const writeSection = async (ctx: Ctx, writer: Writer, row: WritingRow, input: WriterInput, outline: Outline) => {
  const index = row.sections.length
  const section = await writer.section({ ...input, outline, index, written: row.sections })
  if (section.kind === 'refused') return await fail(ctx, row, section)
  const html = safeHtml(section.value)
  if (html === undefined) return await fail(ctx, row, { ...refused(UNREADABLE), retryable: true })
  return await save(ctx, row, { section: html }, outline, index + 1)
}

/** Returns the assembled article and its assessment; undefined if nothing is left of it. */
const judgeWritten = async (ctx: Ctx, row: WritingRow, input: WriterInput, outline: Outline) => {
  const written = row.repairs > 0 ? { whole: row.sections[0] ?? '' } : { sections: row.sections }
  const made = await ctx.texts(assembleWork, { ...input, outline, written })
  const html = made.html === '' ? undefined : safeHtml(made.html)
  if (html === undefined) return undefined
  const finished: Finished = { title: made.title, metaDescription: row.metaDescription || made.metaDescription, html }
  return { finished, assessment: await assessFinished(ctx, row, finished), cut: made.cut.length }
}

/** Returns the assessment of a finished article, by the checks of every save. */
const assessFinished = async (ctx: Ctx, row: WritingRow, finished: Finished) => {
  const reading = readContent(finished.html)
  const place = { articleId: row.articleId }
  const found = await ctx.read(() => assessmentQueries(ctx, place, reading))
  const judged = {
    keyword: row.keyword,
    title: finished.title,
    slug: row.slug,
    metaDescription: finished.metaDescription,
    articleStyle: row.articleStyle,
    // Without a feature image by the caller, the service adds one.
    featureImage: row.featureImage || undefined,
    byWriter: true,
  }
  return await assess(ctx, found, place, judged, reading)
}

type Judged = NonNullable<Awaited<ReturnType<typeof judgeWritten>>>

/** Returns the article with its pictures, assessed again if its HTML changed. */
const illustrated = async (ctx: Ctx, pictures: Pictures, row: WritingRow, { brief }: WriterInput, judged: Judged) => {
  const { finished } = judged
  const { articleId, keyword } = row
  const article = {
    articleId,
    keyword,
    title: finished.title,
    html: finished.html,
    hasFeature: row.featureImage !== '',
  }
  const made: Illustrated = await illustrate(ctx, pictures, brief, article)
  const additions: Additions = { feature: made.feature, images: made.images }
  if (made.html === finished.html) return { ...judged, additions }
  const withPictures = { ...finished, html: made.html }
  return { ...judged, finished: withPictures, assessment: await assessFinished(ctx, row, withPictures), additions }
}

const handOver = async (
  ctx: Ctx,
  pictures: Pictures,
  row: WritingRow,
  input: WriterInput,
  judged: Judged,
): Promise<StepEnd> => {
  const { finished, assessment, cut, additions } = await illustrated(ctx, pictures, row, input, judged)
  const report = assessment.answer.seo
  const unfit = report ? failureOfReport(report, row.kind, row.articleId) : undefined
  await finishWriting(ctx, row, { ...finished, ...additions }, assessment, unfit)
  ctx.log('info', 'writing.finished', {
    article_id: row.articleId,
    repairs: row.repairs,
    sentences_cut: cut,
    fit: !unfit,
  })
  return 'settled'
}

/** Checks the article. Finishes it, or has it repaired first. */
const check = async (
  ctx: Ctx,
  { writer, pictures }: WritingDeps,
  row: WritingRow,
  input: WriterInput,
  outline: Outline,
) => {
  const judged = await judgeWritten(ctx, row, input, outline)
  const report = judged?.assessment.answer.seo
  if (!judged || !report) return await fail(ctx, row, refused(NOTHING_LEFT))
  if (judged.finished.html.length > MAX_CONTENT) return await fail(ctx, row, refused(TOO_LONG))
  const failures = failuresToMend(report, row.repairs)
  if (failures.length > 0) {
    const repaired = await writer.repair({ ...input, outline, html: judged.finished.html, failures })
    if (repaired.kind === 'refused') return await fail(ctx, row, repaired)
    if (repaired.kind === 'kept') return await handOver(ctx, pictures, row, input, judged)
    const whole = safeHtml(repaired.value)
    if (whole === undefined) return await fail(ctx, row, { ...refused(UNREADABLE), retryable: true })
    return await save(ctx, row, { whole }, outline, outline.sections.length)
  }
  return await handOver(ctx, pictures, row, input, judged)
}

const runStep = async (ctx: Ctx, deps: WritingDeps, articleId: number): Promise<StepEnd> => {
  const [row] = await ctx.read((owner) => writingById(ctx.db, owner, articleId))
  if (!row) return 'gone'
  const outline = outlineOf(row)
  const { writer } = deps
  if (!outline) return await plan(ctx, writer, row)
  const input = { brief: Brief.parse(row.brief), notes: row.notes }
  const isWritten = row.repairs > 0 || row.sections.length >= outline.sections.length
  return isWritten ? await check(ctx, deps, row, input, outline) : await writeSection(ctx, writer, row, input, outline)
}

/** Most calls to other Workers for one step: the last one checks the text and makes its pictures. */
const CALLS_OF_STEP = 12

/**
 * Continues the writing of an article, step by step, during the run's time.
 *
 * Each step is saved, so a crash repeats at most one. `settled`: the next run is in the outbox, or the writing has ended.
 */
export const continueWriting = async (ctx: Ctx, deps: WritingDeps, articleId: number): Promise<JobResult> => {
  const until = ctx.now().getTime() + RUN_MS
  let ended: StepEnd = 'next'
  do {
    ended = await runStep(ctx, deps, articleId)
    await ctx.step('written')
  } while (ended === 'next' && ctx.now().getTime() < until && hasCallsLeft(CALLS_OF_STEP))
  return { kind: ended === 'gone' ? 'done' : 'settled' }
}
