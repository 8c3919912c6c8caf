import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Engine, OfferedModel } from '../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityModels as offers,
  visibilityScans as scans,
} from '../../../schema/visibility.ts'
import { read } from '../../db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../db/statement.ts'
import { excluded, insert, update } from '../../db/write-parts.ts'

/** Keeps the models an engine offers. */
export const keepModels = (engine: Engine, models: OfferedModel[], now: Date): SQL => {
  const kept = insert(
    'kept',
    offers,
    { engine, models, readAt: now },
    {
      onConflict: {
        columns: [offers.engine],
        set: { models: excluded(offers.models), readAt: excluded(offers.readAt) },
      },
    },
  )
  return statement({
    unaudited: 'a list of the provider, of no account',
    parts: [kept],
    answer: { kept: countOf(kept) },
    answerFrom: ONE_ROW,
  })
}

/** The models that answered in a scan, as its rows name them. */
const answeredIn = (scanId: SQL): SQL =>
  sql`(select coalesce(jsonb_object_agg(m.engine, jsonb_build_object('answered', m.model)), '{}'::jsonb) from (
    select ${answers.engine} as engine, string_agg(distinct ${answers.model}, ' ' order by ${answers.model}) as model
    from ${answers} where ${answers.scanId} = ${scanId} and ${answers.model} is not null group by ${answers.engine}) m)`

/**
 * Pins the model of an engine for a scan. The completed scan before gets its models from its answers if it is older than the column
 * that holds them, so that the two can be compared.
 */
export const pinStatement = (scanId: number, projectId: number, engine: Engine, model: OfferedModel): SQL => {
  const asked = sql`jsonb_build_object(${engine}::text, jsonb_build_object('asked', ${JSON.stringify(model)}::jsonb))`
  const pinned = update(
    'pinned',
    scans,
    { models: sql`${scans.models} || ${asked}` },
    {
      where: sql`${and(eq(scans.id, scanId), eq(scans.state, 'running'))} and not (${scans.models} ? ${engine}::text)`,
      returning: { id: scans.id },
    },
  )
  const before = read(
    'before',
    scans,
    { id: scans.id, models: scans.models },
    {
      where: sql`${and(eq(scans.projectId, projectId), eq(scans.state, sql`'completed'`))}`,
      orderBy: sql`${scans.id} desc`,
      limit: 1,
    },
  )
  const filled = update(
    'filled',
    scans,
    { models: answeredIn(sql`${before.c.id}`) },
    { from: [before], where: sql`${scans.id} = ${before.c.id} and ${before.c.models} = '{}'::jsonb` },
  )
  return statement({
    unaudited: 'a step of a scan whose begin is audited',
    parts: [pinned, before, filled],
    answer: { id: pinned.c.id },
  })
}
