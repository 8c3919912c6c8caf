import * as z from 'zod/mini'
import { ADOPTION_STATES, ORIGINS, STORED_FORMATS } from '../../../schema/values/adopted.ts'
import { seo } from '../../content/articles/article-answer.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { adoptOperations } from './operations.ts'

const sitePost = z.strictObject({
  post_id: means(
    'ID of the post at the site. `POST /articles/adopt` takes it. Null in a search, whose posts are named by `url`.',
    z.nullable(z.string()),
  ),
  title: selfExplanatory(z.string()),
  url: means('Public URL. Null if readers cannot open the post.', z.nullable(z.string())),
  status: means('Status as readers see it.', z.enum(['published', 'draft', 'scheduled', 'trashed'])),
  site_status: means('Status in the words of the CMS.', z.string()),
  published_at: means('Date of publication. Null if the post was never published.', z.nullable(instant())),
  changed_at: means('Time of the last change at the site. Null if the CMS does not return it.', z.nullable(instant())),
  author: means('Names of the authors. Null if the connected user may not see them.', z.nullable(z.string())),
  language: means('BCP 47 code. Null if the CMS does not return it.', z.nullable(z.string())),
  article_id: means('ID of the article that the post belongs to. Null if it is no article yet.', z.nullable(id())),
  origin: means(
    'Origin of that article: `own`, made here, or `adopted`. Null without an article.',
    z.nullable(z.enum(ORIGINS)),
  ),
})

const adopted = (statuses: readonly ['adopted'] | readonly ['known']) =>
  body({
    status: means('`adopted`: the article is new. `known`: the post was an article already.', z.enum(statuses)),
    article_id: articleId(),
    origin: means('`own`: made here. `adopted`: made of this post.', z.enum(ORIGINS)),
    title: selfExplanatory(z.string()),
    url: means('Public URL of the post. Null if none is known.', z.nullable(z.string())),
    message: message(),
  })

const adoption = z.strictObject({
  id: means('ID of the adoption.', id()),
  status: means(
    '`running`: posts are being adopted. `done`: all were handled. `stopped`: it ended early, for the reason in `error`; the same call goes on from there.',
    z.enum(ADOPTION_STATES),
  ),
  every_post: means('True: all published posts of the site.', z.boolean()),
  wanted: means('Number of posts in `post_ids` or `urls`. Null for all posts.', z.nullable(count())),
  adopted: means('Posts that became articles.', count()),
  known: means('Posts that were articles already.', count()),
  refused: means('Posts that could not be adopted.', count()),
  problems: means(
    'The first 100 posts that could not be adopted.',
    z.array(
      z.strictObject({
        post_id: means('ID of the post at the site, or its URL from `urls`.', z.string()),
        reason: means('Reason, in one sentence.', z.string()),
      }),
    ),
  ),
  error: means('Reason why it stopped. Null if it did not.', z.nullable(z.string())),
  started_at: selfExplanatory(instant()),
  updated_at: means('Time of the last progress.', instant()),
})

/** Answers of the operations on posts of a site. */
export const adoptAnswers = {
  sitePosts: {
    200: body({
      platform: means('Platform of the connected site. Null in a search.', z.nullable(z.string())),
      posts: means('Posts of this page, in the order of the CMS.', z.array(sitePost)),
      count: means('Number of posts on this page.', count()),
      total: means('Number of all posts. Null if the CMS does not count them.', z.nullable(count())),
      indexed_at: means(
        'Time at which the site’s pages were last indexed. Null if they never were. Absent without `q`.',
        z.optional(z.nullable(instant())),
      ),
      hidden: means(
        'Posts of this page that the CMS leaves out because the connected user cannot edit them. In a repository: files whose front matter cannot be read.',
        count(),
      ),
      next_cursor: means('Send it as `cursor` for the next page. Null on the last page.', z.nullable(z.string())),
      missing: means(
        'Parts that the CMS did not return. Absent if nothing is missing.',
        z.optional(z.array(z.string())),
      ),
    }),
  },
  adopt: {
    201: body({
      ...adopted(['adopted']).shape,
      revision: means('Number of the version: the text as it was found.', count()),
      format: means(
        'Form of the stored text. `blocks`, `classic`: WordPress. `lexical`, `mobiledoc`: Ghost. `html`: any other CMS. `page`: read from the live page.',
        z.enum(STORED_FORMATS),
      ),
      editable: means('False if a page builder owns the text. Its text is then never changed from here.', z.boolean()),
      owner: means('Page builder that owns the text. Null if there is none.', z.nullable(z.string())),
      seo,
      warnings: means(
        'Parts of the post that the article lacks. Absent if nothing is missing.',
        z.optional(z.array(z.string())),
      ),
    }),
    200: adopted(['known']),
  },
  adoptMany: {
    202: body({
      status: means('The posts are being adopted.', z.literal('running')),
      adoption_id: means('ID of the adoption.', id()),
      project_id: projectId(),
      message: message(),
    }),
  },
  adoption: {
    200: body({
      adoption: means('The newest adoption. Null if there was none.', z.nullable(adoption)),
    }),
  },
  release: {
    200: body({
      status: means('`released`: the article is forgotten.', z.enum(['released'])),
      article_id: articleId(),
      url: means('URL of the post, which stays. Null if none is known.', z.nullable(z.string())),
      message: message(),
    }),
  },
} satisfies AnswersOf<typeof adoptOperations>
