import { generateText } from 'ai'
import { listedModel, modelsRequest } from '../../../platform/jobs/model-list.ts'
import { ask, ok, wrong } from '../../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../../platform/jobs/provider-check.ts'
import type { WriterSettings } from '../../../platform/runtime/env.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'
import { failureOf } from './failures.ts'
import type { AskedModel } from './index.ts'
import { isReasoningModel } from './parameters.ts'

const TIMEOUT_MS = 60_000
/** Models that think first refuse a limit that their thinking fills. */
const ROOM_TO_THINK = 2_000
const COST = 'some tokens'

/** Returns the words of the provider's list about a model; undefined if the provider has no list. */
const listed = async (settings: WriterSettings, outbound: Outbound): Promise<string | undefined> => {
  if (settings.provider !== 'openai-compatible') return undefined
  const answer = await ask(outbound, modelsRequest(settings))
  const found = 'isOk' in answer ? undefined : listedModel(answer.json, settings.model)
  if (!found) return undefined
  if (!found.isListed) return 'not in the list of models'
  return found.ends === undefined ? 'listed' : `ends on ${found.ends}`
}

/** Asks the writer's model for one word, by the same client as the writer. */
export const checkModel = async (
  settings: Exclude<WriterSettings, { provider: 'built-in' }>,
  { model, now, secret }: AskedModel,
  outbound: Outbound,
): Promise<Checked> => {
  const list = await listed(settings, outbound)
  try {
    const abortSignal = AbortSignal.timeout(TIMEOUT_MS)
    await generateText({
      model,
      prompt: 'Say yes.',
      maxOutputTokens: isReasoningModel(settings.model) ? ROOM_TO_THINK : 1,
      maxRetries: 0,
      abortSignal,
    })
    return ok(`${settings.model} writes${list === undefined ? '' : `; ${list}`}`, COST)
  } catch (error) {
    const failure = failureOf(error, now(), secret)
    const reason = failure.kind === 'refused' ? failure.reason : 'no answer'
    const found = `${settings.model}: ${reason}${list === undefined ? '' : `; ${list}`}`
    return wrong(found, 'Check WRITER_MODEL, WRITER_API_KEY and WRITER_BASE_URL.', COST)
  }
}
