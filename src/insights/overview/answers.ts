import * as z from 'zod/mini'
import { type AnswersOf, body, count, instant, means, projectId } from '../../platform/http/answers.ts'
import type { overviewOperations } from './operations.ts'
import { NEEDS } from './rules.ts'

const project = z.strictObject({
  project_id: projectId(),
  name: means('Name of the business. Empty if none is set.', z.string()),
  url: means('Address of the website.', z.string()),
  needs: means(
    'Most urgent need. `failing`: publications failed, or their outcome is unknown. `waiting`: a person has to approve something. `not_connected`: it has no target, or the target refused the last call. `rewrites_ready`: rewrites wait for a decision.',
    z.enum(NEEDS),
  ),
  failed: means('Articles whose publication failed.', count()),
  unknown: means('Articles that may have arrived at the target.', count()),
  waiting: means('Approvals that wait for a person.', count()),
  rewrites_ready: means('Suggestions whose rewrite is ready.', count()),
  indexed: means(
    'Articles that Google lists, by its last answers.',
    z.strictObject({
      n: means('Articles about which Google was asked.', count()),
      indexed: means('Those that it listed then.', count()),
      share: means('Their share, from 0 to 1. Null if Google was asked about none.', z.nullable(z.number())),
    }),
  ),
  clicks: means(
    'Clicks in Google Search. Null if no Search Console is connected, or it has no days yet.',
    z.nullable(
      z.strictObject({
        last_28_days: means('Clicks on the last 28 final days.', count()),
        change: means(
          'Difference to the 28 days before. Null if fewer than 21 days can be compared.',
          z.nullable(z.int()),
        ),
        is_significant: means('True if the days’ own variation does not explain the change.', z.boolean()),
      }),
    ),
  ),
  published_30_days: means('Articles published in the last 30 days.', count()),
  next_publication_at: means('Time of the next planned publication. Null if none is planned.', z.nullable(instant())),
  target_connected: means('True if the project has a publishing target.', z.boolean()),
  target_error: means('Error of the target’s last use. Null if it succeeded.', z.nullable(z.string())),
})

/** Answers of the overview. */
export const overviewAnswers = {
  read: {
    200: body({
      projects: means('Active projects, those that need a person first.', z.array(project)),
      count: means('Number of projects in this response.', count()),
      total: means('Number of active projects.', count()),
      sandbox: means('Present if a stand-in for Google made up clicks and indexed pages.', z.optional(z.literal(true))),
    }),
  },
} satisfies AnswersOf<typeof overviewOperations>
