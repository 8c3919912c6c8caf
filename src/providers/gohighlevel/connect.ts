import * as z from 'zod/mini'
import { httpUrl } from '../../platform/lib/fields.ts'
import { addressPrefix, apiUrl, type Opened, remoteId, textsOf, token } from '../cms/fields.ts'

const API_URL = 'https://services.leadconnectorhq.com'

export const CategoryIds = z.array(remoteId()).check(z.maxLength(20))

const Fields = z.object({
  private_token: token(),
  location_id: remoteId(),
  blog_url: addressPrefix(),
  blog_id: z.optional(remoteId()),
  author_id: z.optional(remoteId()),
  category_ids: z.optional(CategoryIds),
  default_image_url: z.optional(httpUrl()),
  api_url: z.optional(apiUrl()),
})

/**
 * Form for connecting GoHighLevel: a sub-account's private token and location, and the address of its blog.
 *
 * The API does not tell that address. It wants author, category and image of every post, so the form has defaults for posts
 * without them.
 */
export const gohighlevelConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, category_ids, ...fields } = Fields.parse(given)
    return {
      url: api_url ?? API_URL,
      urlField: 'api_url',
      name: `GoHighLevel blog ${new URL(fields.blog_url).host}`,
      secrets: textsOf({ ...fields, category_ids: category_ids && JSON.stringify(category_ids) }),
    }
  },
}
