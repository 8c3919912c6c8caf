import type { ModelInUse } from '../../platform/jobs/models.ts'
import { ask, listedModel, modelsRequest } from '../../platform/jobs/provider-ask.ts'
import type { Outbound } from '../../platform/runtime/outbound.ts'

type Configured = { provider: string; model: string; baseUrl?: string; apiKey?: string }

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'
const ANTHROPIC_VERSION = '2023-06-01'

/**
 * Returns what the list of a model's provider has about it.
 *
 * OpenAI-compatible providers return the whole list. Anthropic returns one model, or 404
 * (https://platform.claude.com/docs/en/api/models/retrieve, 2026-11-25). Workers AI has no list that a binding can read.
 */
export const lookUpModel = async (
  outbound: Outbound,
  use: string,
  { provider, model, baseUrl = '', apiKey = '' }: Configured,
): Promise<ModelInUse> => {
  const found = { use, model }
  if (provider === 'openai-compatible') {
    const answer = await ask(outbound, modelsRequest({ baseUrl, apiKey }))
    const listed = 'isOk' in answer ? undefined : listedModel(answer.json, model)
    return listed ? { ...found, ...listed } : found
  }
  if (provider !== 'anthropic') return found
  const url = `${baseUrl === '' ? ANTHROPIC_URL : baseUrl}/models/${encodeURIComponent(model)}`
  const answer = await ask(outbound, { url, headers: { 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION } })
  if ('isOk' in answer || (answer.status !== 200 && answer.status !== 404)) return found
  return { ...found, isListed: answer.status === 200 }
}
