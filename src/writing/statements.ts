import { type SQL, sql } from 'drizzle-orm'
import type { Assessment } from '../articles/assess.ts'
import { auditCte } from '../db/effects.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Outline, WritingBrief } from './port.ts'
import { type Progress, progressOf } from './rules.ts'

export const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`
const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

/** The outbox row's key: one writing of an article at a time. */
const keyOf = (articleId: number): string => `write:${articleId}`

/** CTE: the job that writes the articles of `from` (id, account_id). */
export const queueWriting = (from: SQL, now: Date): SQL =>
  sql`, queued as (insert into outbox (account_id, job, key, payload, run_at)
      select ${from}.account_id, 'writing.step', 'write:' || ${from}.id, jsonb_build_object('article_id', ${from}.id), ${at(now)} from ${from}
      on conflict (key) where done_at is null and dead_at is null do update set run_at = excluded.run_at, offered_at = null returning id)`

type NewGeneration = {
  id: number
  accountId: number
  projectId: number
  title: string
  keyword: string
  slug: string
  articleStyle: string
  instructions: string
  notes: string
}

/**
 * Takes a credit and begins an article with it: article, writing, job and kept answer in one statement. No row when the
 * account has no credit left; a slug taken meanwhile violates `articles_slug_unique` and undoes everything. `answer` gets
 * the credits that are left.
 */
export const beginGeneration = (ctx: Ctx, g: NewGeneration, answer: (credits: SQL) => SQL): SQL => {
  const now = ctx.now()
  return sql`with purse as (update accounts set article_credits = article_credits - 1
      where id = ${g.accountId}::int and article_credits > 0 returning id, article_credits),
    made as (insert into articles (id, account_id, project_id, status, title, main_keyword, slug, article_style, instructions, writing_started_at,
        progress, created_at, updated_at)
      select ${g.id}::int, purse.id, ${g.projectId}::int, 'Generating', ${g.title}::text, ${g.keyword}::text, ${g.slug}::text, ${g.articleStyle}::text,
        ${g.instructions}::text, ${at(now)}, ${json(progressOf(null, 0))}, ${at(now)}, ${at(now)} from purse returning id, account_id),
    writing as (insert into article_writings (article_id, kind, notes, credit_taken, started_at, updated_at)
      select id, 'generate', ${g.notes}::text, true, ${at(now)}, ${at(now)} from made returning article_id)
    ${queueWriting(sql`made`, now)}
    ${auditCte(ctx, sql`made`, sql`account_id`, 'article.generate', sql`'article:' || made.id`)}
    ${ctx.record(sql`made, purse`, 202, answer(sql`purse.article_credits`))}
    select purse.article_credits as credits from purse, made`
}

/** One step of one writing: it counts only while the writing still stands where the step began. */
type Step = { articleId: number; step: number }

/** CTEs: the article, locked first as everywhere, and its writing if it still is at this step. */
const heldAt = ({ articleId, step }: { articleId: number; step: number | null }, after = sql``): SQL =>
  sql`old as materialized (select a.id, a.revision, a.title, a.meta_description, a.content from articles a${after}
      where a.id = ${articleId}::int and a.status = 'Generating' for no key update of a),
    held as materialized (select w.article_id, w.kind, w.credit_taken from article_writings w, old
      where w.article_id = old.id and (${step}::int is null or w.step = ${step}::int) for update of w)`

/** CTE: wakes the job at an instant. Its run's lease is given back when the run ends. */
const wakeAt = (articleId: number, from: SQL, runAt: Date): SQL =>
  sql`, woken as (update outbox set run_at = ${at(runAt)}, offered_at = null
      where key = ${keyOf(articleId)} and done_at is null and dead_at is null and exists (select 1 from ${from}) returning id)`

const endJob = (articleId: number, from: SQL, now: Date): SQL =>
  sql`, woken as (update outbox set done_at = ${at(now)}, lease_until = null
      where key = ${keyOf(articleId)} and done_at is null and dead_at is null and exists (select 1 from ${from}) returning id)`

/** What a step made. */
export type StepResult = { brief: WritingBrief; outline: Outline } | { section: string } | { whole: string }

const resultColumns = (result: StepResult): SQL => {
  if ('outline' in result) return sql`brief = ${json(result.brief)}, outline = ${json(result.outline)}`
  if ('section' in result) return sql`sections = w.sections || ${json([result.section])}`
  return sql`sections = ${json([result.whole])}, repairs = w.repairs + 1`
}

/** Saves what a step made and wakes the next one. No row: another run was faster, or the article is no longer being written. */
export const saveStep = (ctx: Ctx, s: Step, result: StepResult, progress: Progress): SQL => {
  const now = ctx.now()
  return sql`with ${heldAt(s)},
    saved as (update article_writings w set ${resultColumns(result)}, step = w.step + 1, failures = 0, last_error = null, updated_at = ${at(now)}
      from held where w.article_id = held.article_id returning w.article_id),
    art as (update articles a set progress = ${json(progress)} from saved where a.id = saved.article_id returning a.id)
    ${wakeAt(s.articleId, sql`saved`, now)}
    select id from art`
}

/** Notes that a step failed in passing, and when it is tried again. */
export const saveFailure = (ctx: Ctx, s: Step, reason: string, again: Date): SQL =>
  sql`with ${heldAt(s)},
    saved as (update article_writings w set failures = w.failures + 1, last_error = ${reason}::text, updated_at = ${at(ctx.now())}
      from held where w.article_id = held.article_id returning w.article_id)
    ${wakeAt(s.articleId, sql`saved`, again)}
    select article_id from saved`

export type Finished = { title: string; metaDescription: string; html: string }

/**
 * Hands a written article over: a generated one becomes a draft, a planned one is planned again and, where it was given up
 * for being empty, due again. The version before is kept. No row: another run was faster.
 */
export const finishWriting = (ctx: Ctx, s: Step, made: Finished, derived: Assessment): SQL => {
  const now = ctx.now()
  const columns = Object.entries(derived.columns).map(([column, value]) => sql`, ${sql.raw(column)} = ${value}`)
  return sql`with ${heldAt(s)},
    done as (delete from article_writings w using held where w.article_id = held.article_id returning w.article_id),
    art as (update articles a set status = case held.kind when 'generate' then 'Draft' else 'Planned' end, title = ${made.title}::text,
        meta_description = ${made.metaDescription}::text,
        content = ${made.html}::text, generation_error = null, progress = null, writing_started_at = null, write_after = null,
        written_at = ${at(now)}, revision = a.revision + case when old.content = '' then 0 else 1 end, updated_at = ${at(now)},
        publish_state = case when a.publish_state = 'failed' then 'idle' else a.publish_state end,
        publish_error = case when a.publish_state = 'failed' then null else a.publish_error end,
        due_taken_at = case when a.publish_state = 'failed' then null else a.due_taken_at end
        ${sql.join(columns, sql``)}
      from old, held, done where a.id = old.id and held.article_id = a.id and done.article_id = a.id returning a.id, a.account_id),
    kept as (insert into article_revisions (article_id, revision, title, meta_description, content)
      select old.id, old.revision, old.title, old.meta_description, old.content from old, art where old.content <> ''
      on conflict do nothing returning id)
    ${endJob(s.articleId, sql`art`, now)}
    ${auditCte(ctx, sql`art`, sql`account_id`, 'article.written', sql`'article:' || art.id`)}
    ${derived.effects(sql`art`)}
    select id from art`
}

type Failed = {
  articleId: number
  accountId: number
  /** Null: whatever step the writing is at. */
  step: number | null
  reason: string
  /** The notes made safe: what a draft holds that could not be written out. */
  notesHtml: string
  /** When the writer tries a planned article again. */
  againAt: Date
}

/**
 * Gives a writing up and the credit back: a generated article becomes a draft that holds the notes, a planned one is planned
 * again and tried later. No row: another run was faster.
 */
export const failWriting = (ctx: Ctx, f: Failed): SQL => {
  const now = ctx.now()
  return sql`with purse as materialized (select id from accounts where id = ${f.accountId}::int for no key update),
    ${heldAt(f, sql`, purse`)},
    art as (update articles a set status = case held.kind when 'generate' then 'Draft' else 'Planned' end, generation_error = ${f.reason}::text,
        content = case held.kind when 'generate' then ${f.notesHtml}::text else a.content end,
        write_after = case held.kind when 'generate' then null else ${at(f.againAt)} end,
        progress = null, writing_started_at = null, updated_at = ${at(now)}
      from held where a.id = held.article_id returning a.id, a.account_id),
    returned as (update accounts c set article_credits = c.article_credits + 1 from art, held
      where c.id = art.account_id and held.credit_taken returning c.id),
    rested as (update article_writings w set brief = null, outline = null, sections = '[]'::jsonb, step = w.step + 1, repairs = 0, failures = 0,
        credit_taken = false, last_error = ${f.reason}::text, updated_at = ${at(now)}
      from art where w.article_id = art.id returning w.article_id)
    ${endJob(f.articleId, sql`art`, now)}
    ${auditCte(ctx, sql`art`, sql`account_id`, 'article.writing_failed', sql`'article:' || art.id`, { reason: f.reason })}
    select id from art`
}
