import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type {
  Citation,
  Engine,
  GapReason,
  OfferedModel,
  Surface,
  Verdict,
} from '../../../../schema/values/visibility.ts'
import { visibilityAnswers as answers, visibilitySlots as slots } from '../../../../schema/visibility.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import type { Texts } from '../../../platform/lib/text-work.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { type AnswerEngines, type EngineAnswer, judgeSaidWork, type Looked, type Question } from '../port.ts'
import type { OpenQuestion, ScanToAsk } from './queries.ts'

const MAX_TEXT = 50_000

/** Record of a settled question. */
type Settled = {
  state: Verdict
  reason: GapReason | null
  text: string | null
  citations: Citation[]
  model: string | null
  surface: Surface | null
  location: string | null
  costUsd: number
}

/** Returns the record of a question without an answer, with the reason. */
const gap = (reason: GapReason, costUsd: number): Settled => ({
  state: 'no_data',
  reason,
  text: null,
  citations: [],
  model: null,
  surface: null,
  location: null,
  costUsd,
})

/** Returns the record of an answer to a prompt: its text, its verdict, and every page it cites or links to. */
export const keptOf = async (
  texts: Texts,
  answer: Exclude<EngineAnswer, { kind: 'failed' }>,
  of: Looked,
  prompt: string,
): Promise<Settled> => {
  const { model, surface, location, costUsd } = answer
  if (answer.kind === 'none') return { ...gap('no_answer_shown', costUsd), model, surface, location }
  const text = clip(storableText(answer.text), MAX_TEXT)
  const said = { text, citations: answer.citations }
  const { verdict, citations } = await texts(judgeSaidWork, { said, of, prompt })
  const judged =
    verdict === 'unclear' ? ({ state: 'no_data', reason: verdict } as const) : { state: verdict, reason: null }
  return { ...judged, text, citations, model, surface, location, costUsd }
}

/** One engine's part of a scan, with the business by which its answers are judged. */
export type Round = {
  scanId: number
  engine: Engine
  scan: ScanToAsk
  brand: Looked
  engines: AnswerEngines
  model: OfferedModel | undefined
}

/** Questions that are asked or fetched at the same time: a Worker has six connections. */
export const AT_ONCE = 4
const MAX_TRIES = 4
/** Delays before each further attempt, ms. */
const WAITS_MS = [5_000, 30_000, 120_000]

/** Returns the time after a delay. Tests shorten delays. */
export const after = (ctx: Ctx, ms: number, from = ctx.now()): Date =>
  new Date(from.getTime() + ms / ctx.settings.retryTimeScale)

/** Returns the question that an engine is asked. Its tag is unique, and has the sites of the business and its competitors. */
export const questionOf = ({ engine, scan, model }: Round, prompt: string, tag: string): Question => {
  const { country, language, websiteKey, competitors } = scan
  return { engine, prompt, country, language, model, tag: [tag, websiteKey, ...competitors].join(' ') }
}

const UNAUDITED = { unaudited: 'a step of a scan whose begin is audited; its rows say what was asked' }

/** Updates those of some questions that are open, and frees their places: the provider no longer has any of them. */
const changeOpen = (ctx: Ctx, ofThese: SQL | undefined, record: PgUpdateSetSource<typeof answers>) =>
  ctx.batch(
    {
      changedAnswers: ctx.db
        .update(answers)
        .set(record)
        .where(and(ofThese, eq(answers.state, 'open'))),
      changedSlots: ctx.db
        .update(slots)
        .set({ heldUntil: null, answerId: null })
        .from(answers)
        .where(and(eq(answers.id, slots.answerId), ofThese)),
    },
    UNAUDITED,
  )

const costWith = (costUsd: number): SQL => sql`${answers.costUsd} + ${costUsd}::float8`

/** Stores the result of a question and adds its cost to that of earlier attempts. Does nothing if it is settled already. */
const settleQuestion = async (ctx: Ctx, id: number, { costUsd, ...settled }: Settled): Promise<void> => {
  const record = { ...settled, costUsd: costWith(costUsd), notBefore: null, askedAt: ctx.now() }
  await changeOpen(ctx, eq(answers.id, id), record)
}

/** Postpones an open question to a later attempt. */
const putOff = async (ctx: Ctx, id: number, tries: number, notBefore: Date, costUsd: number): Promise<void> => {
  const record = { tries, notBefore, handedAt: null, taskTag: null, taskId: null, costUsd: costWith(costUsd) }
  await changeOpen(ctx, eq(answers.id, id), record)
}

/** Settles every open question of a scan to one engine as a gap. */
export const settleAllAsGaps = async (ctx: Ctx, scanId: number, engine: Engine, reason: GapReason): Promise<void> => {
  const record = { state: 'no_data', reason, notBefore: null, askedAt: ctx.now() } as const
  await changeOpen(ctx, and(eq(answers.scanId, scanId), eq(answers.engine, engine)), record)
}

/** Settles a question as a gap. */
export const settleAsGap = async (
  ctx: Ctx,
  { id }: Pick<OpenQuestion, 'id'>,
  reason: 'internal' | 'provider_timeout' | 'provider_unavailable',
) => {
  await settleQuestion(ctx, id, gap(reason, 0))
}

/**
 * Stores the result of a question.
 *
 * A question that may still succeed is asked again later. If no other question would succeed either, all open ones become gaps.
 */
export const keepAnswer = async (
  ctx: Ctx,
  { scanId, engine, brand }: Round,
  question: Pick<OpenQuestion, 'id' | 'tries' | 'prompt'>,
  answer: EngineAnswer,
): Promise<void> => {
  await ctx.step('scan:asked')
  if (answer.kind !== 'failed') {
    await settleQuestion(ctx, question.id, await keptOf(ctx.texts, answer, brand, question.prompt))
    return await ctx.step('scan:kept')
  }
  if (answer.again && question.tries + 1 < MAX_TRIES) {
    const waitMs = Math.max((answer.retryAfterS ?? 0) * 1_000, WAITS_MS[question.tries] ?? 0)
    return await putOff(ctx, question.id, question.tries + 1, after(ctx, waitMs), answer.costUsd)
  }
  await settleQuestion(ctx, question.id, gap(answer.reason, answer.costUsd))
  if (answer.forAll) await settleAllAsGaps(ctx, scanId, engine, answer.reason)
}
