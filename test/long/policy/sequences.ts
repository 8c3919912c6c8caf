import fc from 'fast-check'
import type { Scope } from '../../../schema/values/accounts.ts'
import type { PolicyClauses, PolicyTarget } from '../../../schema/values/policy.ts'

/** Caller: a key of a scope, or a person on the pages. */
export type Caller = Scope | 'person'

/** Each tenant has two sites: one at a webhook, one at a CMS that takes posts down and keeps versions. */
const SITES = ['webhook', 'ghost'] as const
export const PLACES = 3

/** An article by its site and its place there. */
type Place = { site: number; place: number }

const ARTICLE_CALLS = ['publish', 'sync', 'put_sync', 'rollback', 'unpublish', 'replay'] as const
type ArticleCall = (typeof ARTICLE_CALLS)[number]

/** A policy before its quiet hours have times: they are on now, or begin in some hours. */
export type WantedPolicy = Omit<PolicyClauses, 'quiet_hours'> & { quiet: 'none' | 'now' | 'later' }

export type ArticleStep =
  | (Place & { kind: 'write' | 'unplan' | 'remove' | 'outsider' | ArticleCall; by: Caller })
  | (Place & { kind: 'plan'; by: Caller; hours: number })

/** Call on social posts: a new one, or one of those that are there. `hours`: until its date; null if it goes out at once. */
export type PostStep =
  | { kind: 'post'; site: number; by: Caller; hours: number | null; isDraft: boolean }
  | (Place & { kind: 'send_post'; by: Caller; hours: number | null; isChanged: boolean })
  | (Place & { kind: 'remove_post' | 'outside_post'; by: Caller })

export type Step =
  | ArticleStep
  | PostStep
  | { kind: 'decide'; site: number; approves: boolean }
  | { kind: 'policy'; site: number; policy: WantedPolicy }
  | { kind: 'receiver'; site: number; mode: 'ok' | 'unavailable' }

/** Steps of both tenants at once, and then the clock: a minute, or hours. */
export type Round = { tenants: [Step[], Step[]]; hours: number }

const by: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('write' as const) },
  { weight: 1, arbitrary: fc.constantFrom('read' as const, 'draft' as const, 'admin' as const) },
)
const site = fc.nat(SITES.length - 1)
const at = { site, place: fc.nat(PLACES - 1) }
const most = (values: readonly (number | null)[]) => fc.constantFrom(...values)

const policy: fc.Arbitrary<WantedPolicy> = fc.record({
  needs_approval: fc.constantFrom('off', 'off', 'off', 'first', 'every'),
  max_publications_per_day: most([null, null, null, 0, 1, 2]),
  quiet: fc.constantFrom('none', 'none', 'none', 'now', 'later'),
  allowed_targets: fc.constantFrom<PolicyTarget[] | null>(
    null,
    null,
    null,
    null,
    ['webhook', 'bluesky'],
    ['ghost'],
    [],
  ),
  monthly_budget: fc.constant({ article_credits: null, crowdwork_dollars: null }),
  frozen: fc.constantFrom(false, false, false, false, true),
})

const onArticle = (kind: 'write' | 'unplan' | 'remove' | 'outsider' | ArticleCall, callers = by) =>
  fc.record({ kind: fc.constant(kind), by: callers, ...at })

const hours = fc.constantFrom(null, null, -1, 3, 30)

const postStep: fc.Arbitrary<PostStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      by,
      hours,
      isDraft: fc.constantFrom(false, false, true),
      site,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send_post' as const), by, hours, isChanged: fc.boolean(), ...at }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove_post' as const), by, ...at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outside_post' as const), by, ...at }) },
)

const person = fc.constant('person' as const)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: onArticle('write') },
  { weight: 9, arbitrary: onArticle('publish') },
  { weight: 1, arbitrary: onArticle('publish', person) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), by, hours: fc.constantFrom(-1, -1, 3, 30), ...at }),
  },
  { weight: 4, arbitrary: onArticle('sync') },
  { weight: 1, arbitrary: onArticle('put_sync') },
  { weight: 3, arbitrary: onArticle('rollback') },
  { weight: 3, arbitrary: onArticle('unpublish') },
  { weight: 2, arbitrary: onArticle('replay') },
  { weight: 1, arbitrary: onArticle('unplan') },
  { weight: 1, arbitrary: onArticle('remove') },
  { weight: 1, arbitrary: onArticle('outsider') },
  { weight: 15, arbitrary: postStep },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('decide' as const), site, approves: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('policy' as const), site, policy }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('receiver' as const),
      site: fc.constant(0),
      mode: fc.constantFrom('ok' as const, 'ok' as const, 'unavailable' as const),
    }),
  },
) as fc.Arbitrary<Step>

const steps = fc.array(step, { minLength: 3, maxLength: 8 })

export const policySequence: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    tenants: fc.tuple(steps, steps),
    hours: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constantFrom(2, 5, 13) },
      { weight: 1, arbitrary: fc.constantFrom(26, 24 * 8) },
    ),
  }),
  { minLength: 3, maxLength: 6 },
)
