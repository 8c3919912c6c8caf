import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { keywordAnswers as answers } from '../../../schema/keywords.ts'
import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import { at } from '../../platform/db/instant.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { excluded, insert, remove, update } from '../../platform/db/write-parts.ts'
import type { Question } from './queries.ts'

const UNAUDITED = 'a search changes nothing of the account'

const KEY = [answers.keyword, answers.language, answers.region, answers.provider, answers.accountId]

const isOf = (q: Question): SQL =>
  sql`${and(eq(answers.keyword, q.keyword), eq(answers.language, q.language), eq(answers.region, q.region), eq(answers.provider, q.provider))}
    and ${answers.accountId} is not distinct from ${q.accountId}::int`

/** Takes it on oneself to ask, until an instant. No row: somebody else is asking, or has just been answered. */
export const beginAsking = (q: Question, asked: number, now: Date, until: Date): SQL => {
  const begun = insert(
    'begun',
    answers,
    { ...q, leaseUntil: until, expiresAt: until },
    {
      onConflict: {
        columns: KEY,
        set: { leaseUntil: excluded(answers.leaseUntil) },
        setWhere: sql`coalesce(${answers.leaseUntil} <= ${at(now)}, true)
          and (${answers.rows} is null or ${answers.expiresAt} <= ${at(now)} or ${answers.asked} < ${asked}::int)`,
      },
      returning: { id: answers.id },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [begun], answer: begun.c })
}

type Answer = { asked: number; rows: KeptKeyword[]; country: string | null; expiresAt: Date }

/**
 * Keeps an answer of who asked until `lease`. One that came after that time leaves those who ask by now to it, and does not stand in the
 * place of one for more keywords.
 */
export const keepAnswer = (q: Question, lease: Date, { asked, rows, country, expiresAt }: Answer): SQL => {
  const isMine = sql`${answers.leaseUntil} is not distinct from ${at(lease)}`
  const kept = update(
    'kept',
    answers,
    { asked, rows, country, expiresAt, leaseUntil: sql`case when ${isMine} then null else ${answers.leaseUntil} end` },
    {
      where: sql`${isOf(q)} and (${isMine} or ${answers.rows} is null or ${answers.asked} <= ${asked}::int)`,
      returning: { id: answers.id },
    },
  )
  return statement({ unaudited: UNAUDITED, parts: [kept], answer: kept.c })
}

/** Releases the lease of a query that got no answer. */
export const endAsking = (q: Question, lease: Date): SQL => {
  const ended = update(
    'ended',
    answers,
    { leaseUntil: null },
    { where: sql`${isOf(q)} and ${eq(answers.leaseUntil, lease)}`, returning: { id: answers.id } },
  )
  return statement({ unaudited: UNAUDITED, parts: [ended], answer: ended.c })
}

/** Deletes a batch of the answers whose time is over, but for those that are asked for again at this moment. */
export const dropExpired = (now: Date, batch: number): SQL => {
  const { id, expiresAt, leaseUntil } = answers
  const isOver = sql`${lt(expiresAt, now)} and coalesce(${leaseUntil} <= ${at(now)}, true)`
  const over = read('over', answers, { id }, { where: isOver, orderBy: asc(expiresAt), limit: batch })
  const where = sql`${eq(id, over.c.id)} and ${isOver}`
  const dropped = remove('dropped', answers, { from: [over], where, returning: { id } })
  return statement({ unaudited: 'kept answers past their time', parts: [over, dropped], answer: dropped.c })
}
