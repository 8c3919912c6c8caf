import type { PolicyClauses, PolicyRule } from '../../../schema/values/policy.ts'

/**
 * Every activity with an effect outside the service. `approval` is its kind for the clause `needs_approval`: a new publication, a
 * change of something published, or neither. `adopted`: posts that the service did not make always need one.
 */
export const ACTIVITIES = {
  publish: { what: 'Publishing an article', approval: 'publication' },
  sync: { what: 'Changing a published article', approval: 'change' },
  rollback: { what: 'Putting back an earlier version', approval: 'change' },
  unpublish: { what: 'Taking an article down', approval: 'adopted' },
  replay: { what: 'Sending a delivery again', approval: 'change' },
  social_post: { what: 'Publishing a social post', approval: 'publication' },
  comment_guide: { what: 'Answering comments by a rule', approval: 'publication' },
  review_reply: { what: 'Replying to a review', approval: 'publication' },
  remove_reply: { what: 'Taking a reply back', approval: 'none' },
  crowdwork: { what: 'Making a crowdwork campaign', approval: 'publication' },
  crowdwork_rating: { what: 'Rating a worker', approval: 'none' },
} as const satisfies Record<string, { what: string; approval: 'publication' | 'change' | 'adopted' | 'none' }>

export type Activity = keyof typeof ACTIVITIES

/** Reason that forbids a call with an effect outside: a rule of the project's policy, or that the account is suspended or deleted. */
export type Obstacle = PolicyRule | 'account_inactive'

/** True if the actor is a person of the account, who needs nobody else's approval. */
export const isPerson = (actor: string): boolean => actor.startsWith('person:')

/** Policy of a project for which none was set. */
export const OPEN_POLICY: PolicyClauses = {
  needs_approval: 'off',
  approve_adopted: true,
  max_publications_per_day: null,
  quiet_hours: null,
  allowed_targets: null,
  monthly_budget: { article_credits: null, crowdwork_dollars: null },
  frozen: false,
  timezone: null,
}

/** Message on work that waits for a rule: it continues by itself when the rule allows it. */
export const WAITS = {
  frozen: 'It waits because a person froze the project.',
  quiet_hours: 'It waits for the end of the project’s quiet hours.',
  max_publications_per_day: 'It waits for another day: the project’s daily maximum of publications is reached.',
  needs_approval: 'It waits for the approval of a person.',
} as const satisfies Partial<Record<PolicyRule, string>>

/**
 * Returns when work that waits for a policy checks it again. A person may change the policy at any moment.
 *
 * `scale` shortens the delay in development.
 */
export const askAgainAt = (now: Date, scale: number): Date => new Date(now.getTime() + 60_000 / scale)

/** True if the rule makes work wait until it allows the work, instead of refusing it for good. */
export const mayPassLater = (rule: Obstacle): rule is keyof typeof WAITS => rule in WAITS

/** Returns a sentence for each clause. `projectZone`: the time zone of a policy that has none. */
export const sentencesOf = (policy: PolicyClauses, projectZone: string): Record<keyof PolicyClauses, string> => {
  const zone = policy.timezone ?? projectZone
  const { needs_approval, max_publications_per_day: most, quiet_hours: quiet, allowed_targets: targets } = policy
  const { article_credits: credits, crowdwork_dollars: dollars } = policy.monthly_budget
  const approval = {
    off: 'Nothing needs the approval of a person.',
    first: 'A person approves what is published for the first time.',
    every: 'A person approves every publication and every change of what is published.',
  }
  const budget = [
    credits === null ? undefined : `${credits} article credits`,
    dollars === null ? undefined : `$${dollars.toFixed(2)} of crowdwork`,
  ].filter((part) => part !== undefined)
  return {
    frozen: policy.frozen ? 'The project is frozen: nothing goes out.' : 'The project is not frozen.',
    needs_approval: approval[needs_approval],
    approve_adopted:
      policy.approve_adopted === false
        ? 'A change of an adopted post needs no approval of its own; taking one down always does.'
        : 'A person approves every change of an adopted post.',
    max_publications_per_day:
      most === null
        ? 'There is no daily maximum.'
        : `At most ${most} ${most === 1 ? 'article goes' : 'articles go'} live a day, by the clock of ${zone}.`,
    quiet_hours:
      quiet === null
        ? 'There are no quiet hours.'
        : `Nothing goes out from ${quiet.from} to ${quiet.to}, by the clock of ${zone}.`,
    allowed_targets:
      targets === null
        ? 'Every target is allowed.'
        : targets.length === 0
          ? 'No target is allowed.'
          : `Only these targets are allowed: ${targets.join(', ')}.`,
    timezone: `Days and quiet hours are by the clock of ${zone}.`,
    monthly_budget:
      budget.length === 0 ? 'There is no monthly budget.' : `A month (UTC) may cost at most ${budget.join(' and ')}.`,
  }
}

/** Name of a change of an article that is on its way out, in refusals. */
export const CHANGING_OUTGOING =
  'Changing an article that is on its way out (planned, being sent or before an approval)'
