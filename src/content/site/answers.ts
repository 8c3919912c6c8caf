import * as z from 'zod/mini'
import { type AnswersOf, body, count, means } from '../../platform/http/answers.ts'
import type { siteOperations } from './operations.ts'

/** Answers of the operations on a site's pages. */
export const siteAnswers = {
  internalLinks: {
    200: body({
      links: means(
        'Content pillars, then pages with a word of the keyword: those in the project’s language first, then the most related. Of pages with the same content in several languages, one. Without a keyword: the newest.',
        z.array(
          z.strictObject({
            url: means(
              'Page of the project’s own site: a published article, or a page that the site scan found.',
              z.string(),
            ),
            title: means('Title of the page. Made from its URL until the page was read.', z.string()),
            keyword: means('Keyword of the article, or the words at the end of the URL. May be empty.', z.string()),
            meta_description: means('Meta description. Empty if the page has none or was not read yet.', z.string()),
          }),
        ),
      ),
      note: means('Only if no page has a word in common with the keyword.', z.optional(z.string())),
      num_links_recommended: means(
        'Number of these links that an article should have: `internal_links_per_article` of the settings.',
        count(),
      ),
      website_url: means('URL of the project’s website.', z.string()),
    }),
  },
} satisfies AnswersOf<typeof siteOperations>
