import { type SQL, sql } from 'drizzle-orm'
import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import type { Db } from '../../platform/db/client.ts'
import { WORLDWIDE } from '../../platform/lib/countries.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'

/** Longer names of regions are cut: no country's is. */
const MAX_REGION = 100

/** A question's place: the project's language and region, and the region as answers are kept by. */
export type Place = { language: string; region: string; region_key: string }

/** Returns the language and region of a project, or those that are if none is given. */
export const placeOf = (db: Db, projectId: number | undefined) => {
  const key = (region: SQL) => sql`left(lower(${region}), ${MAX_REGION}::int) as region_key`
  return projectId === undefined
    ? db.execute<Place>(
        sql`select ${DEFAULT_LANGUAGE}::text as language, ${WORLDWIDE}::text as region, ${key(sql`${WORLDWIDE}::text`)}`,
      )
    : db.execute<Place>(
        sql`select language, keyword_region as region, ${key(sql`keyword_region`)} from projects where id = ${projectId}::int`,
      )
}

/** An answer as it is kept; `is_mine` where the account's own keys paid for it. */
export type KeptAnswer = {
  provider: string
  is_mine: boolean
  asked: number
  rows: KeptKeyword[] | null
  country: string | null
  is_fresh: boolean
  is_asked_now: boolean
}

const COLUMNS = (now: Date) => sql`a.provider, a.account_id is not null as is_mine, a.asked, a.rows, a.country,
  a.expires_at > ${now.toISOString()}::timestamptz as is_fresh,
  coalesce(a.lease_until > ${now.toISOString()}::timestamptz, false) as is_asked_now`

/** Selects the kept answers for a keyword instead of a project, those for everyone and those of the account alone. */
export const keptFor = (db: Db, owner: SQL, keyword: string, projectId: number | undefined, now: Date) =>
  projectId === undefined
    ? db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
        where a.keyword = ${keyword} and a.language = ${DEFAULT_LANGUAGE} and a.region = lower(${WORLDWIDE}::text)
          and (a.account_id is null or a.account_id = ${owner})`)
    : db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
        join projects p on p.id = ${projectId}::int and p.language = a.language and left(lower(p.keyword_region), ${MAX_REGION}::int) = a.region
        where a.keyword = ${keyword} and (a.account_id is null or a.account_id = ${owner})`)

/** One question: what its answer is kept by. */
export type Question = { keyword: string; language: string; region: string; provider: string; accountId: number | null }

export const keptOf = (db: Db, q: Question, now: Date) =>
  db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
    where a.keyword = ${q.keyword} and a.language = ${q.language} and a.region = ${q.region} and a.provider = ${q.provider}
      and a.account_id is not distinct from ${q.accountId}::int`)
