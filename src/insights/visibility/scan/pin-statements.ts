import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Engine, OfferedModel } from '../../../../schema/values/visibility.ts'
import { visibilityModels as offers, visibilityScans as scans } from '../../../../schema/visibility.ts'
import { countOf, ONE_ROW, statement } from '../../../platform/db/statement.ts'
import { excluded, insert, update } from '../../../platform/db/write-parts.ts'

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

/** Pins the model of an engine for a scan. */
export const pinStatement = (scanId: number, engine: Engine, model: OfferedModel): SQL => {
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
  return statement({
    unaudited: 'a step of a scan whose begin is audited',
    parts: [pinned],
    answer: { id: pinned.c.id },
  })
}
