import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Engine } from '../../../../schema/values/visibility.ts'
import { visibilityAnswers as answers, visibilitySlots as slots } from '../../../../schema/visibility.ts'
import type { Part } from '../../../platform/db/part.ts'
import { given, list, read, select } from '../../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../../platform/db/statement.ts'
import { update } from '../../../platform/db/write-parts.ts'

const UNAUDITED = 'a step of a scan whose begin is audited'

type Handing = { engine: Engine; questions: readonly { id: number; tag: string }[]; now: Date }
/** End of the hold on a place at the latest, and the next look at the question. */
export type Until = { heldUntil: Date; lookAt: Date }

/**
 * Marks questions as handed over, as many as there are free places at the engine. Done before the provider hears of them, so that
 * none is handed over twice, whatever happens between.
 */
export const handOver = ({ engine, questions, now }: Handing, { heldUntil, lookAt }: Until): SQL => {
  const wanted = given('wanted', {
    id: list(
      answers.id,
      questions.map(({ id }) => id),
    ),
    tag: list(
      answers.taskTag,
      questions.map(({ tag }) => tag),
    ),
  })
  const open = read(
    'open',
    answers,
    { id: answers.id, tag: wanted.c.tag, n: wanted.c.n },
    {
      from: [wanted],
      where: sql`${answers.id} = ${wanted.c.id} and ${and(eq(answers.state, 'open'), isNull(answers.handedAt))}`,
      lock: 'no key update',
    },
  )
  const free = read(
    'free',
    slots,
    { slot: slots.slot },
    {
      where: sql`${and(eq(slots.engine, engine), or(isNull(slots.heldUntil), lte(slots.heldUntil, now)))}`,
      orderBy: sql`${slots.slot}`,
      limit: questions.length,
      lock: 'no key update',
      skipLocked: true,
    },
  )
  const places = select(
    'places',
    { slot: free.c.slot, n: sql`row_number() over (order by ${free.c.slot})` },
    sql`from ${free.rows}`,
  )
  const turns = select(
    'turns',
    { id: open.c.id, tag: open.c.tag, n: sql`row_number() over (order by ${open.c.n})` },
    sql`from ${open.rows}`,
  )
  const held = update(
    'held',
    slots,
    { heldUntil, answerId: sql`${turns.c.id}` },
    {
      from: [places, turns],
      where: sql`${slots.engine} = ${engine} and ${slots.slot} = ${places.c.slot} and ${places.c.n} = ${turns.c.n}`,
      returning: { id: sql`${turns.c.id}`, tag: sql`${turns.c.tag}` },
    },
  )
  const handed = update(
    'handed',
    answers,
    { handedAt: now, taskTag: sql`${held.c.tag}`, notBefore: lookAt },
    { from: [held], where: sql`${answers.id} = ${held.c.id}`, returning: { id: answers.id } },
  )
  return statement({
    unaudited: UNAUDITED,
    parts: [wanted, open, free, places, turns, held, handed],
    answer: { id: handed.c.id },
  })
}

/** Keeps the provider's ids of tasks that it has taken. */
export const keepTaskIds = (taken: readonly { id: number; taskId: string }[]): SQL => {
  const rows = given('taken', {
    id: list(
      answers.id,
      taken.map(({ id }) => id),
    ),
    task: list(
      answers.taskId,
      taken.map(({ taskId }) => taskId),
    ),
  })
  const kept = update(
    'kept',
    answers,
    { taskId: sql`${rows.c.task}` },
    { from: [rows], where: sql`${answers.id} = ${rows.c.id}` },
  )
  return statement({ unaudited: UNAUDITED, parts: [rows, kept], answer: { kept: countOf(kept) }, answerFrom: ONE_ROW })
}

/** Sets when a submitted question is looked up next. */
export const lookLater = (id: number, taskId: string | null, at: Date): SQL => {
  const kept = update(
    'kept',
    answers,
    { notBefore: at, taskId },
    { where: sql`${and(eq(answers.id, id), eq(answers.state, 'open'))}` },
  )
  return statement({ unaudited: UNAUDITED, parts: [kept], answer: { kept: countOf(kept) }, answerFrom: ONE_ROW })
}

/** A part that frees the places of questions. */
export const freed = (of: Part<'id'>): Part =>
  update(
    'freed',
    slots,
    { heldUntil: null, answerId: null },
    { from: [of], where: sql`${slots.answerId} = ${of.c.id}` },
  )
