/** Plans an account can be on. */
export const PLANS = ['agentic_free', 'agentic', 'pro', 'accelerator'] as const
export type Plan = (typeof PLANS)[number]

/** What an API key may do; a key without `write` only reads. */
export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]
