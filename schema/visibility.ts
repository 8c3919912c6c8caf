import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import {
  ANSWER_STATES,
  type Citation,
  ENGINES,
  type EngineCounts,
  GAP_REASONS,
  type OfferedModel,
  PROMPT_SOURCES,
  SCAN_KINDS,
  SCAN_STATES,
  type ScanModels,
  type ScanViews,
  SURFACES,
} from './values/visibility.ts'

/** Questions of a project to the engines. A removed question stays with its past answers. */
export const visibilityPrompts = pgTable(
  'visibility_prompts',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    prompt: text('prompt').notNull(),
    /** The comparable form: without case and spacing. */
    promptKey: text('prompt_key').notNull(),
    source: text('source', { enum: PROMPT_SOURCES }).notNull(),
    createdAt: createdAt(),
    removedAt: instant('removed_at'),
  },
  (t) => [
    uniqueIndex('visibility_prompts_unique').on(t.projectId, t.promptKey),
    index('visibility_prompts_project').on(t.projectId, t.id),
    index('visibility_prompts_active').on(t.projectId, t.id).where(sql`${t.removedAt} is null`).concurrently(),
    index('visibility_prompts_account').on(t.accountId),
    check('visibility_prompts_source_check', oneOf(t.source, PROMPT_SOURCES)),
  ],
)

/** Projects with prompts, and the time of the next automatic scan of each. */
export const visibilitySchedules = pgTable(
  'visibility_schedules',
  {
    projectId: projectId().primaryKey(),
    accountId: accountId(),
    nextScanAt: instant('next_scan_at').notNull(),
  },
  (t) => [index('visibility_schedules_due').on(t.nextScanAt), index('visibility_schedules_account').on(t.accountId)],
)

/** Scans: one round of questions each. The numbers are computed from the answers when the scan ends. */
export const visibilityScans = pgTable(
  'visibility_scans',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    kind: text('kind', { enum: SCAN_KINDS }).notNull(),
    state: text('state', { enum: SCAN_STATES }).notNull().default('running'),
    /** Number of times that each engine gets each prompt. */
    samples: smallint('samples').notNull(),
    /** Location and language of the questions, from the project's settings at the start of the scan. */
    location: text('location').notNull(),
    language: text('language').notNull(),
    /** True if the answers come from a stand-in of the provider. */
    sandbox: boolean('sandbox').notNull().default(false),
    asked: integer('asked').notNull().default(0),
    gaps: integer('gaps').notNull().default(0),
    answers: integer('answers').notNull().default(0),
    cited: integer('cited').notNull().default(0),
    mentioned: integer('mentioned').notNull().default(0),
    ownCitations: integer('own_citations').notNull().default(0),
    competitorCitations: integer('competitor_citations').notNull().default(0),
    /** Price that the provider charged, US dollars. */
    costUsd: doublePrecision('cost_usd').notNull().default(0),
    /** Most that it was expected to cost when it began, which the account was charged with until its end. */
    expectedUsd: doublePrecision('expected_usd').notNull().default(0),
    /** Model of each engine that has one. */
    models: jsonb('models').$type<ScanModels>().notNull().default({}),
    engines: jsonb('engines').$type<EngineCounts[]>().notNull().default([]),
    views: jsonb('views').$type<ScanViews>(),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    error: text('error'),
  },
  (t) => [
    uniqueIndex('visibility_scans_running_unique').on(t.projectId).where(sql`${t.state} = 'running'`),
    index('visibility_scans_project').on(t.projectId, t.id),
    index('visibility_scans_completed').on(t.projectId, t.id).where(sql`${t.state} = 'completed'`),
    index('visibility_scans_manual').on(t.projectId, t.startedAt).where(sql`${t.kind} = 'manual'`),
    index('visibility_scans_account').on(t.accountId),
    check('visibility_scans_kind_check', oneOf(t.kind, SCAN_KINDS)),
    check('visibility_scans_state_check', oneOf(t.state, SCAN_STATES)),
    check('visibility_scans_samples_check', sql`${t.samples} between 1 and 5`),
  ],
)

/** Answer of one engine to one prompt, once per sample. Scores can be computed from these rows again. */
export const visibilityAnswers = pgTable(
  'visibility_answers',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    scanId: integer('scan_id')
      .notNull()
      .references(() => visibilityScans.id, { onDelete: 'cascade' }),
    promptId: integer('prompt_id')
      .notNull()
      .references(() => visibilityPrompts.id, { onDelete: 'cascade' }),
    engine: text('engine', { enum: ENGINES }).notNull(),
    sample: smallint('sample').notNull(),
    state: text('state', { enum: ANSWER_STATES }).notNull().default('open'),
    reason: text('reason', { enum: GAP_REASONS }),
    text: text('text'),
    citations: jsonb('citations').$type<Citation[]>().notNull().default([]),
    model: text('model'),
    surface: text('surface', { enum: SURFACES }),
    location: text('location'),
    costUsd: doublePrecision('cost_usd').notNull().default(0),
    /** Number of failed attempts to get the answer, and the time of the next one. */
    tries: smallint('tries').notNull().default(0),
    notBefore: instant('not_before'),
    /** Time at which the provider got the question, its tag there, and the provider's task id if it is a task. */
    handedAt: instant('handed_at'),
    taskTag: text('task_tag'),
    taskId: text('task_id'),
    askedAt: instant('asked_at'),
  },
  (t) => [
    uniqueIndex('visibility_answers_unique').on(t.scanId, t.engine, t.promptId, t.sample),
    index('visibility_answers_scan').on(t.scanId, t.id),
    index('visibility_answers_open').on(t.scanId, t.engine, t.id).where(sql`${t.state} = 'open'`),
    index('visibility_answers_project').on(t.projectId, t.id).where(sql`${t.state} <> 'open'`),
    index('visibility_answers_engine').on(t.projectId, t.engine, t.id).where(sql`${t.state} <> 'open'`),
    index('visibility_answers_prompt').on(t.promptId, t.id),
    index('visibility_answers_account').on(t.accountId),
    check('visibility_answers_engine_check', oneOf(t.engine, ENGINES)),
    check('visibility_answers_state_check', oneOf(t.state, ANSWER_STATES)),
    check('visibility_answers_reason_check', oneOf(t.reason, GAP_REASONS)),
    check('visibility_answers_surface_check', oneOf(t.surface, SURFACES)),
  ],
)

/** Models that an engine offers, as of the provider's last list. */
export const visibilityModels = pgTable('visibility_models', {
  engine: text('engine', { enum: ENGINES }).primaryKey(),
  models: jsonb('models').$type<OfferedModel[]>().notNull(),
  readAt: instant('read_at').notNull(),
})

/**
 * Slots at each engine's provider, shared by all projects. Each running question uses one.
 *
 * Their number is below the provider's limit (30 live tasks of an account for each platform).
 */
export const visibilitySlots = pgTable(
  'visibility_slots',
  {
    engine: text('engine', { enum: ENGINES }).notNull(),
    slot: smallint('slot').notNull(),
    answerId: integer('answer_id'),
    /** The slot is free after this time, even if the question has no outcome; null: free. */
    heldUntil: instant('held_until'),
  },
  (t) => [primaryKey({ columns: [t.engine, t.slot] })],
)
