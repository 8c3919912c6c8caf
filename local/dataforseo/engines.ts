import { createHash } from 'node:crypto'
import type { Engine } from '../../schema/values/visibility.ts'
import { invalid, type Task, type TaskAnswer } from './envelope.ts'
import type { ListedModel, Models } from './models.ts'

/** Returns a number from 0 to 1 that is the same for the same words. */
const chance = (...parts: readonly unknown[]): number =>
  createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0) / 2 ** 32

type Business = { name: string; domain: string }

const FILLERS: readonly Business[] = [
  { name: 'Brightwater Guide', domain: 'brightwater-guide.example' },
  { name: 'Consumer Compass', domain: 'consumercompass.example' },
  { name: 'Wikipedia', domain: 'en.wikipedia.org' },
  { name: 'Reddit', domain: 'www.reddit.com' },
]

const titled = (domain: string): string =>
  (domain.replace(/^www\./, '').split(/[./:]/)[0] ?? '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/**
 * Returns the business and its competitors from a question's tag: an id, the business's site, the competitors' sites.
 */
const businessesOf = (task: Task): { own: Business | undefined; rivals: Business[] } => {
  const [own, ...rivals] = String(task.tag ?? '')
    .split(' ')
    .filter((site) => site !== '' && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(site))
    .map((domain, n) => ({ name: n === 0 && typeof task.name === 'string' ? task.name : titled(domain), domain }))
  return { own, rivals }
}

/** Contents of one answer: the businesses it names, and the pages it cites. */
type Made = { named: Business[]; cited: { title: string; url: string }[] }

const page = (business: Business, topic: string) => ({
  title: `${business.name}: ${topic}`,
  url: `https://${business.domain}/${encodeURIComponent(topic.toLowerCase().split(' ').slice(0, 3).join('-'))}`,
})

/** Shares of answers that cite a business, or at least name it, by engine. */
const LEANING: Record<string, { cites: number; names: number }> = {
  chat_gpt: { cites: 0.35, names: 0.6 },
  perplexity: { cites: 0.5, names: 0.6 },
  gemini: { cites: 0.3, names: 0.55 },
  organic: { cites: 0.25, names: 0.35 },
  ai_mode: { cites: 0.4, names: 0.5 },
}

/** Makes an answer. `strength`: how often the business appears, relative to the engine's usual share. */
const made = (engine: string, prompt: string, task: Task, round: number, strength = 1): Made => {
  const { own, rivals } = businessesOf(task)
  const { cites = 0, names = 0 } = LEANING[engine] ?? {}
  const share = (business: Business) => (business === own ? strength : 1)
  const topic = prompt
    .replace(/[?¿!.,]/g, '')
    .split(' ')
    .slice(-4)
    .join(' ')
  const luck = (business: Business) => chance(engine, prompt, business.domain, round)
  const near = [...(own ? [own] : []), ...rivals]
  const named = [...near.filter((one) => luck(one) < names * share(one)), ...FILLERS.slice(0, 1)]
  const cited = [...near.filter((one) => luck(one) < cites * share(one)), ...FILLERS.filter((one) => luck(one) < 0.6)]
  return { named, cited: cited.map((one) => page(one, topic)) }
}

const textOf = (prompt: string, { named, cited }: Made): string =>
  [
    `People who ask “${prompt}” often compare these:`,
    ...named.map(({ name }, n) => `${n + 1}. **${name}** is known for good advice and fair prices.`),
    cited.length > 0 ? `Read more: ${cited.map(({ title, url }) => `[${title}](${url})`).join(', ')}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')

/** The provider's names for our engines. */
const PROVIDER_NAMES: Record<Engine, string> = {
  chatgpt: 'chat_gpt',
  perplexity: 'perplexity',
  gemini: 'gemini',
  google_ai_overview: 'organic',
  google_ai_mode: 'ai_mode',
}

/** True if the question gets an overview: about four in five do. */
const isOverviewShown = (prompt: string): boolean => chance('shown', prompt) < 0.8

/**
 * Returns an answer from an earlier week, for sample data: the same for the same words; undefined if the engine showed
 * none.
 *
 * `strength`, 0 to 1: how often the business appeared then, relative to today.
 */
export const earlierAnswer = (
  engine: Engine,
  prompt: string,
  of: { name: string; tag: string },
  week: number,
  strength: number,
) => {
  if (engine === 'google_ai_overview' && !isOverviewShown(prompt)) return undefined
  const answer = made(PROVIDER_NAMES[engine], prompt, { tag: of.tag, name: of.name }, -week, strength)
  return { text: textOf(prompt, answer), citations: answer.cited }
}

/** Number of times that each question was asked, so that answers to it differ, as those of real engines do. */
type Rounds = Map<string, number>

const roundOf = (rounds: Rounds, engine: string, prompt: string): number => {
  const round = (rounds.get(`${engine} ${prompt}`) ?? 0) + 1
  rounds.set(`${engine} ${prompt}`, round)
  return round
}

/**
 * Returns the failure that a prompt asks for. With `half:40101`, about half of the calls fail with that code.
 *
 * With `always:40101` all of them fail. `on:gemini` before it limits this to one engine.
 */
const wantedFailure = (engine: string, prompt: string, round: number, field: string): TaskAnswer | undefined => {
  const [, only, often, code] = /(?:on:(\w+) )?\b(half|always):(\d{5})\b/.exec(prompt) ?? []
  if (code === undefined || (only !== undefined && only !== engine)) return undefined
  const fails = often === 'always' || chance(engine, prompt, round) < 0.5
  if (!fails) return undefined
  return code === '40501' ? invalid(field) : { code: Number(code), message: 'Failed as the prompt asks for.' }
}

/** Returns the fewest and the most output tokens that a task may set for a model. */
const tokensOf = (engine: string, { reasoning }: ListedModel): [number, number] => [
  engine === 'chat_gpt' ? (reasoning ? 1_024 : 16) : 1,
  4_096,
]

/** Returns the field of a task that this model does not accept; undefined if it accepts them all. */
const refusedField = (engine: string, model: ListedModel, task: Task): string | undefined => {
  const { web_search: web, force_web_search: force, web_search_country_iso_code: country } = task
  const [least, most] = tokensOf(engine, model)
  const { max_output_tokens: tokens = 2_048 } = task as { max_output_tokens?: number }
  if (web === true && !model.web_search_supported) return 'web_search'
  if (force === true && (model.reasoning || web !== true)) return 'force_web_search'
  if (country !== undefined && web !== true && engine !== 'perplexity') return 'web_search_country_iso_code'
  if (tokens < least || tokens > most) return 'max_output_tokens'
  if (task.temperature !== undefined && model.reasoning && engine === 'chat_gpt') return 'temperature'
  return undefined
}

const byModel =
  (rounds: Rounds, engine: string, models: Models) =>
  (task: Task): TaskAnswer => {
    const { user_prompt: prompt, model_name: name } = task
    if (typeof prompt !== 'string' || prompt === '' || prompt.length > 500) return invalid('user_prompt')
    const model = typeof name === 'string' ? models.find(engine, name) : undefined
    if (!model) return invalid('model_name')
    const refused = refusedField(engine, model, task)
    if (refused) return invalid(refused)
    const round = roundOf(rounds, engine, prompt)
    const failure = wantedFailure(engine, prompt, round, 'user_prompt')
    if (failure) return failure
    const answer = made(engine, prompt, task, round)
    const searched = engine === 'perplexity' || task.web_search === true
    const annotations = answer.cited.map(({ title, url }) => ({
      title,
      url: engine === 'gemini' ? `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${round}` : url,
      ...(engine === 'gemini' ? { direct_url: url } : {}),
    }))
    const cost = 0.012
    return {
      code: 20_000,
      message: 'Ok.',
      cost,
      result: [
        {
          model_name: model.model_name,
          input_tokens: 20,
          output_tokens: 300,
          reasoning_tokens: model.reasoning ? 120 : 0,
          web_search: searched,
          money_spent: cost - 0.0006,
          datetime: '2026-11-01 12:57:46 +00:00',
          items: [
            { type: 'reasoning', sections: null },
            {
              type: 'message',
              sections: [{ type: 'text', text: textOf(prompt, answer), annotations: searched ? annotations : null }],
            },
          ],
          fan_out_queries: null,
        },
      ],
    }
  }

const onPage =
  (rounds: Rounds, engine: string) =>
  (task: Task): TaskAnswer => {
    const { keyword } = task
    if (typeof keyword !== 'string' || keyword === '' || keyword.length > 700) return invalid('keyword')
    if (typeof task.location_code !== 'number') return invalid('location_code')
    if (typeof task.language_code !== 'string') return invalid('language_code')
    const prompt = keyword.replaceAll('%2B', '+').replaceAll('%25', '%')
    const round = roundOf(rounds, engine, prompt)
    const failure = wantedFailure(engine, prompt, round, 'keyword')
    if (failure) return failure
    const answer = made(engine, prompt, task, round)
    const isShown = engine === 'ai_mode' || isOverviewShown(prompt)
    const references = answer.cited.map(({ title, url }) => ({
      type: 'ai_overview_reference',
      source: title,
      domain: new URL(url).hostname,
      url,
      title,
      text: '',
    }))
    const text = textOf(prompt, answer)
    const overview = {
      type: 'ai_overview',
      rank_group: 1,
      rank_absolute: 1,
      asynchronous_ai_overview: engine === 'organic',
      markdown: text,
      items: [
        { type: 'ai_overview_element', title: null, text, markdown: text, links: null, images: null, references },
      ],
      references,
    }
    // Unless the task asks for it, the provider does not wait for an overview that loads later.
    const isLoaded = engine === 'ai_mode' || task.load_async_ai_overview === true
    const organic = {
      type: 'organic',
      rank_group: 1,
      rank_absolute: 2,
      domain: 'brightwater-guide.example',
      title: 'A guide',
    }
    const items = [
      ...(isShown ? [isLoaded ? overview : { ...overview, markdown: null, items: [], references: [] }] : []),
      ...(engine === 'organic' ? [organic] : []),
    ]
    return {
      code: 20_000,
      message: 'Ok.',
      cost: engine === 'ai_mode' ? 0.004 : 0.004,
      result: [{ keyword, type: engine, se_domain: 'google.com', items_count: items.length, items }],
    }
  }

/** Endpoints that ask AI engines, by path. */
export const engineEndpoints = (models: Models) => {
  const rounds: Rounds = new Map()
  return {
    'ai_optimization/chat_gpt/llm_responses': byModel(rounds, 'chat_gpt', models),
    'ai_optimization/perplexity/llm_responses': byModel(rounds, 'perplexity', models),
    'ai_optimization/gemini/llm_responses': byModel(rounds, 'gemini', models),
    'serp/google/organic': onPage(rounds, 'organic'),
    'serp/google/ai_mode': onPage(rounds, 'ai_mode'),
  }
}
