import { and, eq, sql } from 'drizzle-orm'
import { lastDayOf } from '../../../../schema/values/models.ts'
import type { Engine, OfferedModel } from '../../../../schema/values/visibility.ts'
import { visibilityModels as offers, visibilityScans as scans } from '../../../../schema/visibility.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Asking } from '../jobs.ts'
import type { AnswerEngines } from '../port.ts'
import { chosenModel } from './model-rules.ts'
import { keptModels, type ScanToAsk } from './queries.ts'

/** Longest time that a list of models is used, ms. */
const KEPT_MS = DAY_MS
/** A model that ends within this time is told to those who watch. */
const ENDS_SOON_MS = 60 * DAY_MS

/** Returns the models an engine offers: the list of the last day, else a new one. An older list is better than none. */
const offeredModels = async (ctx: Ctx, engines: AnswerEngines, engine: Engine): Promise<OfferedModel[]> => {
  const [[kept]] = await ctx.read(() => [keptModels(ctx.db, engine)])
  if (kept && kept.readAt.getTime() > ctx.now().getTime() - KEPT_MS) return kept.models
  const answer = await engines.offered(engine)
  if (answer.kind === 'offered' && answer.models.length > 0) {
    const list = { models: answer.models, readAt: ctx.now() }
    const read = ctx.db
      .insert(offers)
      .values({ engine, ...list })
      .onConflictDoUpdate({ target: offers.engine, set: list })
    await ctx.batch([read], { unaudited: 'a list of the provider, of no account' })
    return answer.models
  }
  const reason = answer.kind === 'failed' ? answer.reason : 'The list is empty.'
  ctx.log('warn', 'visibility.models_unknown', { engine, reason })
  return kept?.models ?? []
}

/** Logs a model that is gone or ends soon, for the alarms. */
const warn = (ctx: Ctx, engine: Engine, configured: string, model: OfferedModel, isMissing: boolean): void => {
  if (isMissing) ctx.log('warn', 'visibility.model_unlisted', { engine, model: configured, asked: model.name })
  const ends = lastDayOf(model.name)
  if (ends && Date.parse(ends) - ctx.now().getTime() <= ENDS_SOON_MS)
    ctx.log('warn', 'visibility.model_ends', { engine, model: model.name, ends })
}

/**
 * Returns the model that a scan asks an engine with, for as long as the scan runs: chosen when the engine's first question is about
 * to be asked. Undefined for engines that are read from pages of results.
 */
export const pinModel = async (
  ctx: Ctx,
  engines: AnswerEngines,
  { scan_id: scanId, engine }: Asking,
  { models }: ScanToAsk,
): Promise<OfferedModel | undefined> => {
  const pinned = models[engine]?.asked
  const configured = engines.configured(engine)
  if (pinned || configured === undefined) return pinned
  const offered = await offeredModels(ctx, engines, engine)
  const { model, isListed } = chosenModel(engine, configured, offered)
  warn(ctx, engine, configured, model, offered.length > 0 && !isListed)
  const asked = sql`jsonb_build_object(${engine}::text, jsonb_build_object('asked', ${JSON.stringify(model)}::jsonb))`
  const isUnpinned = sql`not (${scans.models} ? ${engine}::text)`
  const pin = ctx.db
    .update(scans)
    .set({ models: sql`${scans.models} || ${asked}` })
    .where(and(eq(scans.id, scanId), eq(scans.state, 'running'), isUnpinned))
  await ctx.batch([pin], { unaudited: 'a step of a scan whose begin is audited' })
  return model
}
