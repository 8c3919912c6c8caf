import type { Engine } from '../../../schema/values/visibility.ts'
import { clip } from '../../lib/text.ts'
import type { ProviderFailure } from '../../provider-keys/port.ts'
import type { EngineModels } from '../../runtime/env.ts'
import type { AnswerEngines, EngineAnswer, Question } from '../../visibility/port.ts'
import { callDataForSeo, type DataForSeoAccount, type DataForSeoMeans } from './api.ts'
import { type Said, saidByModel, saidOnPage } from './engines-transform.ts'
import { placeFor } from './places.ts'

/** How long an engine may take, ms. A model that searches the web takes most of a minute at times. */
const PATIENCE_MS = 80_000
const MAX_TOKENS = 2_048
const MAX_TAG = 255
const REDIRECT_MS = 5_000
const MAX_REDIRECTS = 10

type Call = {
  path: string
  task: Record<string, unknown>
  surface: 'api' | 'serp'
  location: string | null
  read: (result: readonly unknown[]) => Said | undefined
}

const UNITED_STATES = { country: 'US', location: 2_840 }

/** `%` and `+` mean something else in their keywords. */
const encoded = (prompt: string): string => prompt.replaceAll('%', '%25').replaceAll('+', '%2B')

const onPage = (path: string, { prompt, country, language }: Question, more: Record<string, unknown> = {}): Call => {
  const place = placeFor({ country, language }) ?? UNITED_STATES
  const task = { keyword: encoded(prompt), location_code: place.location, language_code: language, ...more }
  return {
    path: `/serp/google/${path}/live/advanced`,
    task,
    surface: 'serp',
    location: place.country,
    read: saidOnPage,
  }
}

const byModel = (name: string, model: string, { prompt }: Question, more: Record<string, unknown>): Call => ({
  path: `/ai_optimization/${name}/llm_responses/live`,
  task: { user_prompt: prompt, model_name: model, max_output_tokens: MAX_TOKENS, ...more },
  surface: 'api',
  location: null,
  read: saidByModel,
})

/** How each engine is asked. Gemini cannot be told a country; Perplexity always searches. */
const callOf = (question: Question, models: EngineModels): Call => {
  const { country } = question
  const calls: Record<Engine, () => Call> = {
    chatgpt: () => ({
      ...byModel('chat_gpt', models.chatgpt, question, {
        web_search: true,
        force_web_search: true,
        web_search_country_iso_code: country,
      }),
      location: country,
    }),
    perplexity: () => ({
      ...byModel('perplexity', models.perplexity, question, { web_search_country_iso_code: country }),
      location: country,
    }),
    gemini: () => byModel('gemini', models.gemini, question, { web_search: true }),
    google_ai_overview: () => onPage('organic', question, { depth: 10, load_async_ai_overview: true }),
    google_ai_mode: () => onPage('ai_mode', question),
  }
  return calls[question.engine]()
}

type Failed = Extract<EngineAnswer, { kind: 'failed' }>

const FAILURES: Record<ProviderFailure['code'], Pick<Failed, 'reason' | 'again' | 'forAll'>> = {
  auth: { reason: 'provider_refused', again: false, forAll: true },
  billing: { reason: 'provider_unpaid', again: false, forAll: true },
  permanent: { reason: 'provider_refused', again: false, forAll: false },
  invalid_input: { reason: 'prompt_refused', again: false, forAll: false },
  rate_limited: { reason: 'provider_rate_limited', again: true, forAll: false },
  transient: { reason: 'provider_unavailable', again: true, forAll: false },
}

const failed = ({ code, retryAfterS, costUsd = 0 }: ProviderFailure, wasLate: boolean): Failed => ({
  kind: 'failed',
  ...FAILURES[code],
  ...(code === 'transient' && wasLate ? { reason: 'provider_timeout' as const } : {}),
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
  costUsd,
})

/** Addresses of Google's that lead to the cited page for a short time only. */
const isRedirect = (url: string): boolean => URL.parse(url)?.hostname === 'vertexaisearch.cloud.google.com'

/** The five engines by DataForSEO: three models over their interfaces, two read from pages of search results. */
export const dataForSeoEngines = (
  means: DataForSeoMeans,
  account: DataForSeoAccount,
  { models, isSandbox }: { models: EngineModels; isSandbox: boolean },
): AnswerEngines => {
  const follow = async (url: string): Promise<string> => {
    const answer = await means.outbound({ url, method: 'HEAD', timeoutMs: REDIRECT_MS, maxBytes: 0 })
    const location = answer.kind === 'answered' ? answer.headers.get('location') : null
    return location !== null && URL.canParse(location) ? location : url
  }

  /** Citations with redirects followed, which soon lead nowhere; those past the most are left as they are. */
  const lasting = async (citations: Said['citations']): Promise<Said['citations']> => {
    let followed = 0
    return await Promise.all(
      citations.map(async (citation) => {
        if (!isRedirect(citation.url) || followed >= MAX_REDIRECTS) return citation
        followed += 1
        return { ...citation, url: await follow(citation.url) }
      }),
    )
  }

  const ask = async (question: Question): Promise<EngineAnswer> => {
    const { path, task, surface, location, read } = callOf(question, models)
    const until = means.now().getTime() + PATIENCE_MS
    const tag = clip(question.tag, MAX_TAG)
    const answer = await callDataForSeo(means, account, { path, task: { ...task, tag }, until })
    if (answer.kind === 'failed') return failed(answer, means.now().getTime() >= until)
    const { costUsd } = answer
    const answered = read(answer.result)
    if (!answered) return { kind: 'failed', reason: 'provider_malformed', again: true, forAll: false, costUsd }
    const asked = { model: answered.model, surface, location, costUsd }
    if (answered.text === '') return { kind: 'none', ...asked }
    return { kind: 'answered', ...asked, text: answered.text, citations: await lasting(answered.citations) }
  }

  return { isSandbox, ask }
}
