/** Kinds of counted requests: a reader who came from an assistant, and a request of an agent. */
export const TRAFFIC_KINDS = ['visit', 'crawl'] as const
export type TrafficKind = (typeof TRAFFIC_KINDS)[number]

/** AI assistants from which readers come, as the WordPress plugin names them. */
export const ASSISTANTS = [
  'chatgpt',
  'perplexity',
  'claude',
  'gemini',
  'copilot',
  'mistral',
  'deepseek',
  'grok',
  'meta',
] as const
export type Assistant = (typeof ASSISTANTS)[number]
