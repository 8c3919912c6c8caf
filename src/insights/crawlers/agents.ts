/** Purpose of an agent. `person`: it fetches a page because a person asked for it. */
export const AGENT_USES = ['search', 'training', 'person'] as const

/** An agent, by the token that robots.txt names it by. */
type Agent = {
  token: string
  of: string
  use: (typeof AGENT_USES)[number]
  /** False if its operator says that it may fetch pages that robots.txt forbids, or if it is known to. */
  obeys: boolean
  /** True if it is only a name in robots.txt: another agent makes its requests. */
  isNameOnly?: true
}

/** Agents of search engines and AI services, as their operators name them. */
export const AGENTS: readonly Agent[] = [
  { token: 'Googlebot', of: 'Google', use: 'search', obeys: true },
  { token: 'bingbot', of: 'Microsoft: Bing, Copilot', use: 'search', obeys: true },
  { token: 'Applebot', of: 'Apple', use: 'search', obeys: true },
  { token: 'OAI-SearchBot', of: 'OpenAI: search in ChatGPT', use: 'search', obeys: true },
  { token: 'Claude-SearchBot', of: 'Anthropic: search in Claude', use: 'search', obeys: true },
  { token: 'PerplexityBot', of: 'Perplexity', use: 'search', obeys: true },
  { token: 'ChatGPT-User', of: 'OpenAI: a person in ChatGPT', use: 'person', obeys: false },
  { token: 'Claude-User', of: 'Anthropic: a person in Claude', use: 'person', obeys: true },
  { token: 'Perplexity-User', of: 'Perplexity: a person', use: 'person', obeys: false },
  { token: 'MistralAI-User', of: 'Mistral: a person in Le Chat', use: 'person', obeys: true },
  { token: 'DuckAssistBot', of: 'DuckDuckGo: answers', use: 'person', obeys: true },
  { token: 'meta-externalfetcher', of: 'Meta: a person', use: 'person', obeys: false },
  { token: 'Google-Extended', of: 'Google: Gemini', use: 'training', obeys: true, isNameOnly: true },
  { token: 'Applebot-Extended', of: 'Apple: Apple Intelligence', use: 'training', obeys: true, isNameOnly: true },
  { token: 'GPTBot', of: 'OpenAI', use: 'training', obeys: true },
  { token: 'ClaudeBot', of: 'Anthropic', use: 'training', obeys: true },
  { token: 'CCBot', of: 'Common Crawl', use: 'training', obeys: true },
  { token: 'meta-externalagent', of: 'Meta', use: 'training', obeys: true },
  { token: 'Amazonbot', of: 'Amazon', use: 'training', obeys: true },
  { token: 'Bytespider', of: 'ByteDance', use: 'training', obeys: false },
]
