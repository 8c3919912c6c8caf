import * as z from 'zod/mini'
import { type AnswersOf, body, count } from '../../platform/http/answers.ts'
import type { siteOperations } from './operations.ts'

/** Answers of the operations on a site's pages. */
export const siteAnswers = {
  internalLinks: {
    200: body({
      links: z.array(
        z.strictObject({ url: z.string(), title: z.string(), keyword: z.string(), meta_description: z.string() }),
      ),
      note: z.optional(z.string()),
      num_links_recommended: count(),
      website_url: z.string(),
    }),
  },
} satisfies AnswersOf<typeof siteOperations>
