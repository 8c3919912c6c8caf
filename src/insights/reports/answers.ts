import * as z from 'zod/mini'
import { type AnswersOf, body, count, instant, means, projectId, selfExplanatory } from '../../platform/http/answers.ts'
import type { reportOperations } from './operations.ts'

const day = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

const days = {
  from: selfExplanatory(day()),
  to: selfExplanatory(day()),
  days: means('Days of these that were measured.', count()),
  of: means('All of these days.', count()),
}

const figures = z.strictObject({
  from: means('First day of the month.', day()),
  to: means('Last day of the month.', day()),
  timezone: means('Time zone of these days.', z.string()),
  search: means(
    'Clicks and impressions in Google, by days of Pacific time. Null if not measured.',
    z.nullable(z.strictObject({ ...days, clicks: selfExplanatory(count()), impressions: selfExplanatory(count()) })),
  ),
  published: means('Posts that went live in the month.', count()),
  changed: means('Published articles whose page was changed in the month.', count()),
  indexed: means(
    'Articles about which Google was asked (`n`), and those that it listed, when the report was made. Null if not measured.',
    z.nullable(z.strictObject({ n: selfExplanatory(count()), indexed: selfExplanatory(count()) })),
  ),
  citations: means(
    'Answers of AI engines in the scans of the month, and those that cite the site. Null without a scan.',
    z.nullable(
      z.strictObject({
        scans: selfExplanatory(count()),
        answers: selfExplanatory(count()),
        cited: selfExplanatory(count()),
      }),
    ),
  ),
  visits: means(
    'Visits from AI assistants, by days of UTC. Null if not measured.',
    z.nullable(z.strictObject({ ...days, visits: selfExplanatory(count()) })),
  ),
  links: means(
    'Links of the exchange that were live when the report was made. Null if the project takes no part.',
    z.nullable(z.strictObject({ received: selfExplanatory(count()), given: selfExplanatory(count()) })),
  ),
  credits: means('Article credits used in the month (UTC). Null for earlier months.', z.nullable(count())),
})

const report = {
  month: means('Month of the report: `2026-10`.', z.string().check(z.regex(/^\d{4}-\d\d$/))),
  made_at: means('Time at which the figures were taken.', instant()),
  figures: means('Figures of the month. Later changes do not alter them.', figures),
}

/** Answers of the operations on monthly reports. */
export const reportAnswers = {
  make: {
    201: body({
      project_id: projectId(),
      ...report,
      url: means('Address of the report for everybody who has it. It is returned only here.', z.url()),
    }),
  },
  list: {
    200: body({
      project_id: projectId(),
      reports: means(
        'The reports.',
        z.array(z.strictObject({ ...report, has_link: means('True if a link to it is valid.', z.boolean()) })),
      ),
    }),
  },
} satisfies AnswersOf<typeof reportOperations>
