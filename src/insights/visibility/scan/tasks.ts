import { and, asc, eq, exists, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Engine } from '../../../../schema/values/visibility.ts'
import { visibilityAnswers as answers, visibilitySlots as slots } from '../../../../schema/visibility.ts'
import { listed } from '../../../platform/db/writes.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { AT_ONCE, after, keepAnswer, questionOf, type Round, settleAsGap } from './keep.ts'
import type { OpenQuestion } from './queries.ts'

/** A question that has a place, and its tag at the provider. */
type PlacedQuestion = OpenQuestion & { tag: string }
/** End of the hold on a place, and the time of the next look at the question. */
type Until = { heldUntil: Date; lookAt: Date }

/**
 * Reserves places at an engine for questions that it does not have, and marks them as handed over.
 *
 * Returns the questions that got a place, at most `most`.
 *
 * This happens before the provider gets them, so that none is handed over twice, even after a crash.
 */
export const reservePlaces = async (
  ctx: Ctx,
  engine: Engine,
  ready: readonly OpenQuestion[],
  { most, until }: { most: number; until: (now: Date) => Until },
): Promise<PlacedQuestion[]> => {
  const questions = ready
    .filter(({ handedAt }) => handedAt === null)
    .slice(0, most)
    .map((question) => ({ ...question, tag: ctx.newId() }))
  if (questions.length === 0) return []
  const { db } = ctx
  const now = ctx.now()
  const { heldUntil, lookAt } = until(now)
  const wanted = listed({ id: answers.id, tag: answers.taskTag }, questions)
  const isOpen = and(eq(answers.state, 'open'), isNull(answers.handedAt))
  const ids = questions.map(({ id }) => id)
  const free = db.$with('free').as(
    db
      .select({ slot: slots.slot })
      .from(slots)
      .where(and(eq(slots.engine, engine), or(isNull(slots.heldUntil), lte(slots.heldUntil, now))))
      .orderBy(asc(slots.slot))
      .limit(questions.length)
      .for('no key update', { skipLocked: true }),
  )
  // The first free place is for the first question, and so on.
  const places = sql`(select slot, row_number() over (order by slot) as n from free) as places`
  const turns = sql`(select ${answers.id}, row_number() over (order by listed.n) as n
    from ${answers} join ${wanted} on ${answers.id} = listed.id where ${isOpen}) as turns`
  const isHeld = and(eq(slots.engine, engine), eq(slots.answerId, answers.id), gt(slots.heldUntil, now))
  const { handed } = await ctx.batch(
    {
      answers: db
        .select({ id: answers.id })
        .from(answers)
        .where(and(inArray(answers.id, ids), isOpen))
        .orderBy(asc(answers.id))
        .for('no key update'),
      changedSlots: db
        .with(free)
        .update(slots)
        .set({ heldUntil, answerId: sql`turns.id` })
        .from(sql`${places} join ${turns} on turns.n = places.n`)
        .where(and(eq(slots.engine, engine), eq(slots.slot, sql`places.slot`))),
      handed: db
        .update(answers)
        .set({ handedAt: now, taskTag: sql`listed.tag`, notBefore: lookAt })
        .from(wanted)
        .where(
          and(
            eq(answers.id, sql`listed.id`),
            isOpen,
            exists(db.select({ slot: slots.slot }).from(slots).where(isHeld)),
          ),
        )
        .returning({ id: answers.id }),
    },
    { unaudited: 'a step of a scan whose begin is audited' },
  )
  return questions.filter(({ id }) => handed.some((row) => row.id === id))
}

/** Questions that one scan hands over at once. */
const POSTED_AT_ONCE = 10
/** Longest time that a task holds its place, ms. A slower task is still looked at. */
const UNDER_WAY_MS = 600_000
const FIRST_LOOK_MS = 5_000
const LAST_LOOK_MS = 300_000
/** Longest wait for an answer, ms. */
const GIVEN_UP_MS = 6 * 3_600_000
/** Longest search for a task that may never have arrived, ms. */
const UNFOUND_MS = 1_800_000

const UNAUDITED = { unaudited: 'a step of a scan whose begin is audited' }

type Handed = OpenQuestion & { handedAt: Date }

/** Returns the age of a task, ms, on the clock of delays, which tests speed up. */
const ageOf = (ctx: Ctx, { handedAt }: Handed): number =>
  (ctx.now().getTime() - handedAt.getTime()) * ctx.settings.retryTimeScale

/** Schedules the next look at a task: the older the task, the later. A task that takes too long becomes a gap. */
const wait = async (ctx: Ctx, question: Handed, id: string | null): Promise<void> => {
  const age = ageOf(ctx, question)
  if (id === null && age > UNFOUND_MS) return await settleAsGap(ctx, question, 'provider_unavailable')
  if (age > GIVEN_UP_MS) return await settleAsGap(ctx, question, 'provider_timeout')
  const waitMs = Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, age / 4))
  const later = ctx.db
    .update(answers)
    .set({ notBefore: after(ctx, waitMs), taskId: id })
    .where(and(eq(answers.id, question.id), eq(answers.state, 'open')))
  await ctx.batch({ later }, UNAUDITED)
}

/** Fetches an answer by the id of its task or, without an id, by its tag among the answers that are ready. */
const look = async (ctx: Ctx, of: Round, question: Handed, ready: ReadonlyMap<string, string>): Promise<void> => {
  const tag = question.taskTag ?? ''
  const id = question.taskId ?? ready.get(tag) ?? null
  if (id === null) return await wait(ctx, question, null)
  const answer = await of.engines.collect(questionOf(of, question.prompt, tag), id)
  if (answer.kind === 'waiting') await wait(ctx, question, id)
  else await keepAnswer(ctx, of, question, answer)
}

const lookAt = async (ctx: Ctx, of: Round, handed: readonly Handed[]): Promise<void> => {
  const isLost = handed.some(({ taskId }) => taskId === null)
  const found = isLost ? await of.engines.ready(of.engine) : []
  const ready = new Map(found.map(({ tag, id }) => [tag.split(' ', 1)[0] ?? '', id]))
  for (let at = 0; at < handed.length; at += AT_ONCE)
    await Promise.all(handed.slice(at, at + AT_ONCE).map((question) => look(ctx, of, question, ready)))
}

const post = async (ctx: Ctx, of: Round, asked: readonly PlacedQuestion[]): Promise<void> => {
  const answer = await of.engines.post(asked.map(({ prompt, tag }) => questionOf(of, prompt, tag)))
  await ctx.step('scan:posted')
  if (answer.kind === 'unknown') return
  const becameOf = asked.map((question, n) => ({ question, task: answer.kind === 'failed' ? answer : answer.tasks[n] }))
  const taken = becameOf.flatMap(({ question: { id }, task }) =>
    task?.kind === 'taken' ? [{ id, task: task.id, cost: task.costUsd }] : [],
  )
  const kept = ctx.db
    .update(answers)
    .set({ taskId: sql`listed.task`, costUsd: sql`${answers.costUsd} + listed.cost` })
    .from(listed({ id: answers.id, task: answers.taskId, cost: answers.costUsd }, taken))
    .where(eq(answers.id, sql`listed.id`))
  if (taken.length > 0) await ctx.batch({ kept }, UNAUDITED)
  for (const { question, task } of becameOf) if (task?.kind === 'failed') await keepAnswer(ctx, of, question, task)
}

/**
 * Hands questions over as tasks, and fetches the answers of earlier tasks. Returns false if no place is free.
 *
 * It also finds answers that are late, and those of an earlier run that crashed after handing over.
 */
export const askByTask = async (ctx: Ctx, of: Round, ready: readonly OpenQuestion[]): Promise<boolean> => {
  const handed = ready.filter((question): question is Handed => question.handedAt !== null)
  if (handed.length > 0) await lookAt(ctx, of, handed)
  const asked = await reservePlaces(ctx, of.engine, ready, {
    most: POSTED_AT_ONCE,
    until: (now) => ({ heldUntil: new Date(now.getTime() + UNDER_WAY_MS), lookAt: after(ctx, FIRST_LOOK_MS, now) }),
  })
  if (asked.length > 0) await post(ctx, of, asked)
  return handed.length > 0 || asked.length > 0
}
