import * as z from 'zod/mini'
import { defineJob } from '../platform/jobs/job.ts'
import { id } from '../platform/lib/fields.ts'

/** Continues a waiting delivery: at its next attempt, or when the lease of a crashed attempt ends. */
export const deliverJob = defineJob({
  name: 'publishing.deliver',
  whenClosed: 'ends',
  payload: z.object({ delivery_id: id() }),
  key: 'deliver',
  id: 'delivery_id',
})

/** Reads the visits and crawls that a site counted. A run that is given up is queued again within hours. */
export const trafficJob = defineJob({
  name: 'publishing.traffic',
  whenClosed: 'ends',
  payload: z.object({ integration_id: id() }),
  key: 'traffic',
  id: 'integration_id',
})

/** Continues the adoption of many posts. */
export const adoptJob = defineJob({
  name: 'publishing.adopt',
  whenClosed: 'ends',
  payload: z.object({ adoption_id: id() }),
  key: 'adopt',
  id: 'adoption_id',
})

/** Continues the release or the revert of a change set. */
export const changesJob = defineJob({
  name: 'publishing.changes',
  whenClosed: 'ends',
  payload: z.object({ change_set_id: id() }),
  key: 'changes',
  id: 'change_set_id',
})

/** Reads the articles of a project for the index by which statements are found. */
export const wordsJob = defineJob({
  name: 'publishing.words',
  whenClosed: { runs: 'it sends nothing outside: the words of the account’s own articles are indexed' },
  // `after`: ID of the last article that was read.
  payload: z.object({ project_id: id(), after: z._default(z.int(), 0) }),
  key: 'words',
  id: 'project_id',
})

/** Publishes an article on its date. */
export const publishDueJob = defineJob({
  name: 'publishing.publish_due',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'publish_due',
  id: 'article_id',
})

/**
 * Publishes an article that failed because its project had no target, after one was connected. If the job gives up, the
 * article keeps its error.
 */
export const republishJob = defineJob({
  name: 'publishing.republish',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'republish',
  id: 'article_id',
})

/** Asks the site how a rollback or a take-down ended: after a lost answer, or when the lease of a crashed one ends. */
export const liveChangeJob = defineJob({
  name: 'publishing.live_change',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), token: z.string() }),
  key: 'live_change',
  id: 'article_id',
})

/**
 * Payload of a check: the article, the check's number (from 0), and its earliest time (ms), which also identifies it.
 *
 * `is_restored`: the site was told to show an earlier version again. `loaded`: addresses of pictures that loaded at an earlier check. Rows of an earlier release have the article only.
 */
const Check = z.object({
  article_id: id(),
  look: z._default(z.int().check(z.gte(0)), 0),
  not_before: z._default(z.int(), 0),
  is_restored: z._default(z.boolean(), false),
  loaded: z._default(z.array(z.string()), []),
})
export type CheckJob = z.output<typeof Check>

/** Checks the live page of an article that was published, synced or rolled back, again later while it does not show the article. */
export const receiptJob = defineJob({
  name: 'publishing.receipt',
  pace: 'quick',
  whenClosed: 'ends',
  payload: Check,
  key: 'receipt',
  id: 'article_id',
})

/** Brings the copy of an article at a follower to what it should be: sent, updated or taken down. */
export const copyJob = defineJob({
  name: 'publishing.copy',
  whenClosed: 'ends',
  payload: z.object({ copy_id: id() }),
  key: 'copy',
  id: 'copy_id',
})

/** Looks for the articles of a site at its new address. */
export const moveSiteJob = defineJob({
  name: 'publishing.move_site',
  whenClosed: 'ends',
  payload: z.object({ move_id: id() }),
  key: 'move_site',
  id: 'move_id',
})
