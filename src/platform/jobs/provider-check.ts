import * as z from 'zod/mini'
import { defineJob } from './job.ts'

/** Result of checking a provider. */
export const Checked = z.object({
  isOk: z.boolean(),
  /** The provider's answer, or what is wrong. */
  found: z.string(),
  /** Advice to the operator. */
  fix: z.optional(z.string()),
  /** Price of the call, as the provider bills it. */
  cost: z.string(),
})
export type Checked = z.infer<typeof Checked>

/** Providers that a deployment can ask, in the order of its table. */
export const CHECKED_PROVIDERS = [
  'mail',
  'writer',
  'images',
  'dataforseo',
  'google',
  'zernio',
  'stripe',
  'microworkers',
  'youtube',
  'browser',
  'redis',
  'qstash',
  'neon',
  'r2',
  'bindings',
] as const
export type CheckedProvider = (typeof CHECKED_PROVIDERS)[number]

/** Payload of a check. `isPaid`: true if calls that cost money may be made. */
const AskedCheck = z.object({ check: z.string(), provider: z.enum(CHECKED_PROVIDERS), isPaid: z.optional(z.boolean()) })
export type AskedCheck = z.infer<typeof AskedCheck>

/** Checks one provider by its cheapest real call. The result is stored in the outbox row. */
export const providerCheckJob = defineJob({
  name: 'providers.check',
  whenClosed: { runs: 'an operator asks, and its rows belong to no account' },
  payload: AskedCheck,
  key: 'provider_check',
  id: 'check',
})
