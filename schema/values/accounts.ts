/** Plans an account can be on. */
export const PLANS = ['agentic_free', 'agentic', 'pro', 'accelerator'] as const
export type Plan = (typeof PLANS)[number]

/** Scopes of API keys, narrowest first: each may do what the ones before it may. */
export const SCOPES = ['read', 'draft', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Scopes that a person can give an application. */
export const GRANT_SCOPES = ['read', 'draft', 'write'] as const satisfies readonly Scope[]
export type GrantScope = (typeof GRANT_SCOPES)[number]
