import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { createWorkersAI } from 'workers-ai-provider'
import type { WriterSettings } from '../../../platform/runtime/env.ts'
import { fetchAs } from '../../../platform/runtime/outbound.ts'
import { openAiBody, withoutRefused } from './parameters.ts'

type Ai = Parameters<typeof createWorkersAI>[0] extends infer Given
  ? Given extends { binding: infer Binding }
    ? Binding
    : never
  : never

const isOpenAi = (baseUrl: string): boolean => /(?:^|\.)api\.openai\.com$/.test(URL.parse(baseUrl)?.hostname ?? '')

/** Returns the model the environment names. `ai` is the Workers AI binding, where that is the provider. */
export const modelOf = (
  settings: Exclude<WriterSettings, { provider: 'built-in' }>,
  ai: unknown,
  userAgent: string,
): LanguageModel => {
  const fetch = fetchAs(userAgent)
  const { provider, model } = settings
  if (provider === 'workers-ai') return createWorkersAI({ binding: ai as Ai })(model)
  const address = settings.baseUrl === '' ? {} : { baseURL: settings.baseUrl }
  if (provider === 'anthropic') return createAnthropic({ apiKey: settings.apiKey, fetch, ...address })(model)
  const key = settings.apiKey === '' ? {} : { apiKey: settings.apiKey }
  return createOpenAICompatible({
    name: 'writer',
    baseURL: settings.baseUrl,
    fetch: withoutRefused(fetch),
    ...(isOpenAi(settings.baseUrl) ? { transformRequestBody: openAiBody } : {}),
    ...key,
  })(model)
}
