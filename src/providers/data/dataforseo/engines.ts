import type { Engine, OfferedModel } from '../../../../schema/values/visibility.ts'
import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import type { AnswerEngines, EngineAnswer, PostedQuestion, Question } from '../../../insights/visibility/port.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { EngineModels } from '../../../platform/runtime/provider-env.ts'
import {
  callDataForSeo,
  type DataForSeoAccount,
  type DataForSeoDeps,
  type DataForSeoFailure,
  placeFor,
  postToDataForSeo,
} from './api.ts'
import { type EngineReply, modelAnswerOf, modelsIn, overviewAnswerOf, readyIn, spentOn } from './engines-transform.ts'

/** Longest wait for a live answer, ms: longer than the provider's own limit of 120 s. */
const PATIENCE_MS = 125_000
/** Longest wait for a call that posts tasks or reads their answers, ms. */
const TASK_PATIENCE_MS = 30_000
const MAX_TOKENS = 2_048
/** The provider's maximum. Tokens of thinking count like those of the answer. */
const MAX_THINKING_TOKENS = 4_096
const LIST_PATIENCE_MS = 10_000
const MAX_TAG = 255
const REDIRECT_MS = 5_000
const MAX_REDIRECTS = 10

type Call = {
  /** Path of the endpoint, without the method such as `live`. */
  path: string
  live: string
  /** Path of the result of a task. */
  get: 'task_get' | 'task_get/advanced'
  task: Record<string, unknown>
  surface: 'api' | 'serp'
  location: string | null
  read: (result: readonly unknown[]) => EngineReply | undefined
}

const UNITED_STATES = { country: 'US', location: 2_840 }

/** Encodes `%` and `+`, which have another meaning in the provider's keywords. */
const encoded = (prompt: string): string => prompt.replaceAll('%', '%25').replaceAll('+', '%2B')

const onPage = (path: string, { prompt, country, language }: Question, more: Record<string, unknown> = {}): Call => {
  const place = placeFor({ country, language }) ?? UNITED_STATES
  const task = { keyword: encoded(prompt), location_code: place.location, language_code: language, ...more }
  return {
    path: `/serp/google/${path}`,
    live: 'live/advanced',
    get: 'task_get/advanced',
    task,
    surface: 'serp',
    location: place.country,
    read: overviewAnswerOf,
  }
}

/** The provider's names of engines with models. */
const PLATFORMS: Partial<Record<Engine, string>> = {
  chatgpt: 'chat_gpt',
  perplexity: 'perplexity',
  gemini: 'gemini',
}

/** The provider's names of engines that are read from pages of results. Their tasks cost less than live questions. */
const PAGES: Partial<Record<Engine, string>> = { google_ai_overview: 'organic', google_ai_mode: 'ai_mode' }

/** Returns the path of an engine's tasks. */
const tasksPath = (engine: Engine): string =>
  engine in PAGES ? `/serp/google/${PAGES[engine]}` : `/ai_optimization/${PLATFORMS[engine]}/llm_responses`

/** Returns the path of an engine's list of models. */
export const modelsPath = (engine: Engine): string => `/ai_optimization/${PLATFORMS[engine]}/llm_responses/models`

const byModel = (
  name: string,
  { prompt }: Question,
  { name: model, reasons }: OfferedModel,
  more: Record<string, unknown>,
): Call => ({
  path: `/ai_optimization/${name}/llm_responses`,
  live: 'live',
  get: 'task_get',
  task: {
    user_prompt: prompt,
    model_name: model,
    max_output_tokens: reasons ? MAX_THINKING_TOKENS : MAX_TOKENS,
    ...more,
  },
  surface: 'api',
  location: typeof more.web_search_country_iso_code === 'string' ? more.web_search_country_iso_code : null,
  read: modelAnswerOf,
})

/** Returns the search fields for a model of ChatGPT. Only models that do not reason can be forced to search. */
const forChatGpt = ({ reasons, searches }: OfferedModel, country: string): Record<string, unknown> =>
  searches
    ? { web_search: true, ...(reasons ? {} : { force_web_search: true }), web_search_country_iso_code: country }
    : {}

/** Returns the call for a question. Gemini has no setting for the country; Perplexity always searches. */
const callOf = (question: Question): Call => {
  const { country, model } = question
  const askedModel = (): OfferedModel => {
    if (!model) throw new Error(`${question.engine} is asked without a model`)
    return model
  }
  const calls: Record<Engine, () => Call> = {
    chatgpt: () => byModel('chat_gpt', question, askedModel(), forChatGpt(askedModel(), country)),
    perplexity: () => byModel('perplexity', question, askedModel(), { web_search_country_iso_code: country }),
    gemini: () => byModel('gemini', question, askedModel(), askedModel().searches ? { web_search: true } : {}),
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

/** Fields of a task with the customer's words. All others are ours, such as the model's name. */
const PROMPT_FIELDS = ['user_prompt', 'keyword']

const namesOne = (text: string, fields: readonly string[]): boolean =>
  fields.some((field) => new RegExp(`(?<!\\w)${field}(?!\\w)`).test(text))

/** Returns the failure of a refused task. If the refused field is ours, every other question would be refused too. */
const refused = (reason: string, task: Record<string, unknown>): Pick<Failed, 'reason' | 'again' | 'forAll'> =>
  namesOne(reason, PROMPT_FIELDS)
    ? FAILURES.invalid_input
    : { reason: 'provider_refused', again: false, forAll: namesOne(reason, Object.keys(task)) }

/** Returns the failure of a question. A lost answer is not requested again, because it may have been paid for. */
const failed = (
  { code, reason, retryAfterS, costUsd = 0, isLost }: DataForSeoFailure,
  task: Record<string, unknown>,
  wasLate = false,
): Failed => ({
  kind: 'failed',
  ...(code === 'invalid_input' ? refused(reason, task) : FAILURES[code]),
  ...(isLost ? { again: false } : {}),
  ...(code === 'transient' && wasLate ? { reason: 'provider_timeout' as const } : {}),
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
  costUsd,
})

const unreadable = (costUsd = 0): Failed => ({
  kind: 'failed',
  reason: 'provider_malformed',
  again: false,
  forAll: false,
  costUsd,
})

/** Codes of a task that is waiting or being processed. */
const UNDER_WAY: readonly unknown[] = [40_601, 40_602]

/** True if a failed read leaves the state of a task unknown: it is not done yet, or the provider did not answer. */
const isInconclusive = ({ status, isWhole, code }: DataForSeoFailure): boolean =>
  UNDER_WAY.includes(status) || (isWhole === true && (code === 'transient' || code === 'rate_limited'))

/** True for Google's addresses that lead to the cited page only for a short time. */
const isRedirect = (url: string): boolean => URL.parse(url)?.hostname === 'vertexaisearch.cloud.google.com'

/** Returns the five engines at DataForSEO: three models by their APIs, and two that are read from pages of search results. */
export const dataForSeoEngines = (
  deps: DataForSeoDeps,
  account: DataForSeoAccount,
  { models, isSandbox }: { models: EngineModels; isSandbox: boolean },
): AnswerEngines => {
  const follow = async (url: string): Promise<string> => {
    const answer = await deps.outbound({ url, method: 'HEAD', timeoutMs: REDIRECT_MS, maxBytes: 0 })
    const location = answer.kind === 'answered' ? answer.headers.get('location') : null
    return location !== null && URL.canParse(location) ? location : url
  }

  /** Returns the citations with short-lived redirects followed. Redirects beyond the limit stay as they are. */
  const lasting = async (citations: EngineReply['citations']): Promise<EngineReply['citations']> => {
    let followed = 0
    return await Promise.all(
      citations.map(async (citation) => {
        if (!isRedirect(citation.url) || followed >= MAX_REDIRECTS) return citation
        followed += 1
        return { ...citation, url: await follow(citation.url) }
      }),
    )
  }

  const offered: AnswerEngines['offered'] = async (engine) => {
    const until = deps.now().getTime() + LIST_PATIENCE_MS
    const answer = await callDataForSeo(deps, account, { path: modelsPath(engine), until })
    return answer.kind === 'failed' ? answer : { kind: 'offered', models: modelsIn(answer.result) }
  }

  const taskOf = (question: Question, { task }: Call) => ({ ...task, tag: clip(question.tag, MAX_TAG) })

  /** Returns the answer of an engine from a result, with lasting citations. */
  const answerOf = async (
    question: Question,
    { read, surface, location }: Call,
    result: readonly unknown[],
    costUsd: number,
  ): Promise<EngineAnswer> => {
    const answered = read(result)
    if (!answered) return unreadable(costUsd)
    const asked = { model: answered.model ?? question.model?.name ?? null, surface, location, costUsd }
    if (answered.text === '') return { kind: 'none', ...asked }
    return { kind: 'answered', ...asked, text: answered.text, citations: await lasting(answered.citations) }
  }

  const ask: AnswerEngines['ask'] = async (question) => {
    const call = callOf(question)
    const task = taskOf(question, call)
    const until = deps.now().getTime() + PATIENCE_MS
    const answer = await callDataForSeo(deps, account, { path: `${call.path}/${call.live}`, task, until })
    return answer.kind === 'failed'
      ? failed(answer, task, deps.now().getTime() >= until)
      : await answerOf(question, call, answer.result, answer.costUsd)
  }

  const untilTask = (): number => deps.now().getTime() + TASK_PATIENCE_MS

  const post: AnswerEngines['post'] = async (questions) => {
    const [first] = questions
    if (!first) return { kind: 'posted', tasks: [] }
    const tasks = questions.map((question) => taskOf(question, callOf(question)))
    const path = `${tasksPath(first.engine)}/task_post`
    const posted = await postToDataForSeo(deps, account, { path, tasks, until: untilTask() })
    if (!Array.isArray(posted)) return posted.isLost ? { kind: 'unknown' } : failed(posted, {})
    return {
      kind: 'posted',
      tasks: posted.map((one, n): PostedQuestion => {
        // The answer of a model has its charge. A page has been charged when it was posted.
        if (one.kind === 'taken') return { ...one, costUsd: first.engine in PAGES ? one.costUsd : 0 }
        return one.kind === 'unreadable' ? unreadable() : failed(one, tasks[n] ?? {})
      }),
    }
  }

  const collect: AnswerEngines['collect'] = async (question, id) => {
    const call = callOf(question)
    const path = `${tasksPath(question.engine)}/${call.get}/${encodeURIComponent(id)}`
    const answer = await callDataForSeo(deps, account, { path, until: untilTask() })
    if (answer.kind === 'failed')
      return isInconclusive(answer) ? { kind: 'waiting' } : failed(answer, taskOf(question, call))
    // A task is charged when it is posted. Reading it is free.
    const costUsd = question.engine in PAGES ? 0 : answer.costUsd || spentOn(answer.result)
    return await answerOf(question, call, answer.result, costUsd)
  }

  const ready: AnswerEngines['ready'] = async (engine) => {
    const path = `${tasksPath(engine)}/tasks_ready`
    const answer = await callDataForSeo(deps, account, { path, until: untilTask() })
    return answer.kind === 'failed' ? [] : readyIn(answer.result)
  }

  const configured: AnswerEngines['configured'] = (engine) =>
    engine in PLATFORMS ? models[engine as keyof EngineModels] : undefined

  const queuesCheaper: AnswerEngines['queuesCheaper'] = (engine) => engine in PAGES

  return { isSandbox, configured, queuesCheaper, offered, ask, post, collect, ready }
}
