import type { Task, TaskAnswer } from './envelope.ts'

/**
 * Fields of tasks and their types, by the provider's own client, which is generated from its schema: dataforseo-client 2.1.7 (npm), read
 * on 2026-11-25. Only the calls that the service makes.
 */
const LOCATED = 'location_name:string location_code:number language_name:string language_code:string tag:string'
const LISTED = 'filters:array order_by:array limit:number offset:number'
const MODEL =
  'user_prompt:string model_name:string max_output_tokens:number temperature:number top_p:number system_message:string message_chain:array tag:string'
const PAGE =
  'keyword:string device:string os:string calculate_rectangles:boolean browser_screen_width:number browser_screen_height:number browser_screen_resolution_ratio:number location_coordinate:string'
const SEED =
  'keyword:string include_seed_keyword:boolean include_serp_info:boolean include_clickstream_data:boolean ignore_synonyms:boolean'

const CALLS: Readonly<Record<string, string>> = {
  'ai_optimization/chat_gpt/llm_responses': `${MODEL} web_search:boolean force_web_search:boolean web_search_country_iso_code:string web_search_city:string`,
  'ai_optimization/gemini/llm_responses': `${MODEL} web_search:boolean use_reasoning:boolean`,
  'ai_optimization/perplexity/llm_responses': `${MODEL} web_search_country_iso_code:string`,
  'serp/google/organic': `${LOCATED} ${PAGE} depth:number load_async_ai_overview:boolean stop_crawl_on_match:array match_type:string match_value:string max_crawl_pages:number search_param:string remove_from_url:array people_also_ask_click_depth:number group_organic_results:boolean url:string se_domain:string target:string target_search_mode:string find_targets_in:array ignore_targets_in:array`,
  'serp/google/ai_mode': `${LOCATED} ${PAGE}`,
  'dataforseo_labs/google/keyword_suggestions': `${LOCATED} ${LISTED} ${SEED} exact_match:boolean offset_token:string`,
  'dataforseo_labs/google/related_keywords': `${LOCATED} ${LISTED} ${SEED} depth:number replace_with_core_keyword:boolean`,
  'dataforseo_labs/google/keyword_overview': `${LOCATED} keywords:array include_serp_info:boolean include_clickstream_data:boolean`,
}

/** Fields of tasks that are posted and fetched later. */
const POSTED = 'postback_url:string pingback_url:string'

const MAX_TAG = 255

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** Returns what the provider says of a task with a field that it has not, or of another type; undefined if there is none. */
export const fieldFault = (call: string, task: Task, isPosted = false): TaskAnswer | undefined => {
  const fields = new Map(
    `${CALLS[call]}${isPosted ? ` ${POSTED}` : ''}`.split(' ').map((one) => one.split(':') as [string, string]),
  )
  const strange = Object.keys(task).find((name) => !fields.has(name))
  if (strange) return { code: 40_506, message: `Unknown Fields in POST Data: '${strange}'.` }
  const wrong = Object.entries(task).find(
    ([name, value]) => typeOf(value) !== fields.get(name) || (name === 'tag' && String(value).length > MAX_TAG),
  )
  return wrong && { code: 40_501, message: `Invalid Field: '${wrong[0]}'.` }
}
