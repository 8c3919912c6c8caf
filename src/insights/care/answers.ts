import * as z from 'zod/mini'
import { ORIGINS } from '../../../schema/values/adopted.ts'
import { CARE_RULES } from '../../../schema/values/care.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  means,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { careOperations } from './operations.ts'

const entry = z.strictObject({
  article_id: articleId(),
  title: selfExplanatory(z.string()),
  url: means('Public URL of the post. Null if none is known.', z.nullable(z.string())),
  origin: means('`own`: made here. `adopted`: made of a post that the site had before.', z.enum(ORIGINS)),
  reason: means('Finding of the rule, with the number behind it.', z.string()),
  call: means(
    'Call that mends it, or that shows what to mend.',
    z.strictObject({
      method: selfExplanatory(z.string()),
      path: selfExplanatory(z.string()),
      fields: means('Fields to send. Absent if the call takes none.', z.optional(z.array(z.string()))),
      why: means('Effect of the call.', z.string()),
    }),
  ),
})

const rule = z.strictObject({
  rule: means(
    '`falling`: lost clicks. `silent`: has no clicks any more. `competing`: two pages for one query. `not_indexed`: Google does not list it. `thin`: few words. `no_description`, `no_alternative_text`: missing texts. `broken_links`: links to pages of the site that do not exist. `broken_pictures`: pictures that do not load. `no_internal_links`: too few links to the own site. `orphan`: no other article, and no page of the site that a scan read, links to it. `out_of_date`: a past year in the title. `other_language`: not in the project’s language.',
    z.enum(CARE_RULES),
  ),
  count: means('Number of articles that it found.', count()),
  articles: means('The first of them, at most `limit`.', z.array(entry)),
})

/** Answers of the care report. */
export const careAnswers = {
  report: {
    200: body({
      project_id: projectId(),
      published: means('Number of published articles that were looked at.', count()),
      has_search_data: means(
        'False: there are no complete 28 days of search data, so `falling`, `silent` and `competing` are empty.',
        z.boolean(),
      ),
      rules: means('Rules that found something.', z.array(rule)),
    }),
  },
} satisfies AnswersOf<typeof careOperations>
