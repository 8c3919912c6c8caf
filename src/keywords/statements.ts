import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { keywordAnswers as answers } from '../../schema/keywords.ts'
import type { KeptKeyword } from '../../schema/values/keywords.ts'
import { at } from '../db/instant.ts'
import { read } from '../db/read-parts.ts'
import { statement } from '../db/statement.ts'
import { excluded, insert, remove, update } from '../db/write-parts.ts'
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

/** Keeps an answer. */
export const keepAnswer = (q: Question, { asked, rows, country, expiresAt }: Answer): SQL => {
  const kept = update(
    'kept',
    answers,
    { asked, rows, country, expiresAt, leaseUntil: null },
    { where: isOf(q), returning: { id: answers.id } },
  )
  return statement({ unaudited: UNAUDITED, parts: [kept], answer: kept.c })
}

/** Lets others ask: there was no answer. */
export const endAsking = (q: Question): SQL => {
  const ended = update('ended', answers, { leaseUntil: null }, { where: isOf(q), returning: { id: answers.id } })
  return statement({ unaudited: UNAUDITED, parts: [ended], answer: ended.c })
}

/** Deletes a batch of the answers whose time is over. */
export const dropExpired = (now: Date, batch: number): SQL => {
  const { id, expiresAt } = answers
  const over = read('over', answers, { id }, { where: lt(expiresAt, now), orderBy: asc(expiresAt), limit: batch })
  const dropped = remove('dropped', answers, { from: [over], where: eq(id, over.c.id), returning: { id } })
  return statement({ unaudited: 'kept answers past their time', parts: [over, dropped], answer: dropped.c })
}
