import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { fetchableUrl, id, list, means, text } from '../../platform/lib/fields.ts'
import { checkPublicUrl, hasBlanks } from '../../platform/lib/urls.ts'

/** Query of `GET /projects/:id/site-posts`. */
const ListSitePosts = z.object({
  cursor: means(
    'Position to continue from: `next_cursor` of the previous response.',
    z.optional(text(2_000, 1)),
    'the first page',
  ),
  q: means(
    'At most 10 words to search for in titles and addresses. Every word must be there. Searches the index of the site’s public pages that the service made from its sitemap, at most 50,000, and asks no CMS.',
    z.optional(text(200, 1)),
    'no search: the posts as the CMS lists them',
  ),
})

/** Returns an entry of `urls`; undefined if it is no address. */
const urlOf = (entry: string): string | undefined =>
  'url' in checkPublicUrl(entry, true) && !hasBlanks(entry) ? entry : undefined

/** Body of `POST /projects/:id/adopt`: some posts, or all. */
const AdoptMany = z
  .object({
    post_ids: means(
      'IDs of the posts to adopt, as listed by `GET /projects/:id/site-posts`, at most 200. Send either these, `urls` or `every_post`.',
      z.optional(list()),
      'none',
    ),
    urls: means(
      'Public URLs of the posts to adopt instead, at most 200. A webhook site, which has no list of posts, needs these.',
      z.optional(list(urlOf, 'must be absolute http or https URLs without white space')),
      'none',
    ),
    every_post: means('True: adopts every published post that the site lists.', z.optional(z.boolean()), '`false`'),
  })
  .check(
    z.refine(
      ({ post_ids: ids = [], urls = [], every_post: isEvery = false }) =>
        [ids.length > 0, urls.length > 0, isEvery].filter(Boolean).length === 1,
      {
        path: ['post_ids'],
        error:
          'is required without urls and without "every_post": true, and cannot be combined with them: send one of them',
      },
    ),
  )

/** Names one post of the site. */
const AdoptPost = z
  .object({
    project_id: means('ID of the project whose site has the post.', id()),
    url: means(
      'Public URL of the post. Send either `url` or `post_id`. A webhook site needs the URL: the text is read from the page.',
      z.optional(fetchableUrl()),
    ),
    post_id: means(
      'ID of the post at the site, as listed by `GET /projects/:id/site-posts`. Beside `url`, for a webhook site alone: the ID by which the receiver knows the post, sent as `external_id`.',
      z.optional(text(200, 1)),
    ),
  })
  .check(
    z.refine(({ url, post_id }) => url !== undefined || post_id !== undefined, {
      path: ['url'],
      error: 'is required without post_id',
    }),
  )

export type ListSitePostsInput = z.infer<typeof ListSitePosts>
export type AdoptManyInput = z.infer<typeof AdoptMany>
export type AdoptPostInput = z.infer<typeof AdoptPost>

/** Errors of reading a site’s posts. */
const NOT_READ = [
  'no_cms_integration',
  'unsupported_platform',
  'cms_rejected',
  'provider_unavailable',
  'not_found',
  'forbidden',
] as const

/** Operations on posts that the site has, and on the articles that are made of them. */
export const adoptOperations = {
  sitePosts: {
    id: 'site_posts.list',
    method: 'GET',
    path: '/projects/:id/site-posts',
    perMinute: 30,
    typicalSeconds: 3,
    scope: 'read',
    summary:
      'Lists the posts that the connected CMS has, whoever wrote them, page by page as the CMS gives them. With `q`, searches the pages of the site.',
    query: ListSitePosts,
    errors: [...NOT_READ],
  },
  adopt: {
    id: 'articles.adopt',
    method: 'POST',
    path: '/articles/adopt',
    perMinute: 30,
    typicalSeconds: 5,
    scope: 'draft',
    summary:
      'Makes an article of a published post that the site has already. Nothing is written to the site. A post that is an article already returns that article.',
    success: [201, 200],
    json: AdoptPost,
    errors: ['forbidden_url', 'adoption_limit', ...NOT_READ],
  },
  adoptMany: {
    id: 'projects.adopt',
    method: 'POST',
    path: '/projects/:id/adopt',
    perMinute: 5,
    scope: 'draft',
    summary: 'Starts to adopt many posts of the site. Posts that are articles already stay as they are.',
    success: [202],
    json: AdoptMany,
    errors: [
      'adoption_running',
      'forbidden_url',
      'no_cms_integration',
      'unsupported_platform',
      'not_found',
      'forbidden',
    ],
  },
  adoption: {
    id: 'projects.adoption',
    method: 'GET',
    path: '/projects/:id/adoption',
    perMinute: 60,
    scope: 'read',
    summary: 'Returns the progress of the newest adoption of many posts.',
    errors: ['not_found', 'forbidden'],
  },
  release: {
    id: 'articles.release',
    method: 'POST',
    path: '/articles/:id/release',
    perMinute: 30,
    scope: 'write',
    scopeReason: 'the article and its versions are forgotten',
    summary: 'Forgets an adopted article. Its post stays at the site as it is.',
    errors: [
      'not_adopted',
      'not_found',
      'forbidden',
      'already_being_written',
      'publish_in_progress',
      'sync_in_progress',
      'edit_conflict',
    ],
  },
} as const satisfies Operations
