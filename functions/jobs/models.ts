import * as z from 'zod/mini'
import { ENGINES, type Engine } from '../../schema/values/visibility.ts'
import type { AnswerEngines } from '../../src/insights/visibility/port.ts'
import { chosenModel } from '../../src/insights/visibility/rules.ts'
import type { JobResult } from '../../src/platform/jobs/job.ts'
import { ModelInUse, noteModel } from '../../src/platform/jobs/models.ts'
import { requestIdHeader } from '../../src/platform/lib/request-scope.ts'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'

type Inner = { fetch: typeof fetch }

const TIMEOUT_MS = 60_000

/** Returns the models of the writer and of pictures, which only the Worker with their keys can look up. */
export const modelsOfWriter = (writer: Inner) => async (): Promise<ModelInUse[]> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await writer.fetch('http://writer/models', { method: 'POST', headers: requestIdHeader(), signal })
  return z.array(ModelInUse).parse(await response.json())
}

const engineModel = async (engines: AnswerEngines, engine: Engine): Promise<ModelInUse[]> => {
  const model = engines.configured(engine)
  if (model === undefined) return []
  const answer = await engines.offered(engine)
  if (answer.kind === 'failed' || answer.models.length === 0) return [{ use: engine, model }]
  return [{ use: engine, model, isListed: chosenModel(engine, model, answer.models).isListed }]
}

/** Looks up the models of the writer, of pictures and of every AI engine, and logs those that need an operator. */
export const lookAtModels = async (
  ctx: Ctx,
  ofWriter: () => Promise<ModelInUse[]>,
  engines: AnswerEngines | undefined,
): Promise<JobResult> => {
  const ofEngines = engines ? ENGINES.map((engine) => engineModel(engines, engine)) : []
  for (const found of (await Promise.all([ofWriter(), ...ofEngines])).flat()) noteModel(ctx, found)
  return { kind: 'done' }
}
