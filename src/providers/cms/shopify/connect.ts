import * as z from 'zod/mini'
import { apiUrl, type Opened, textsOf, token } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import { readOnce } from '../mapped-items.ts'
import type { ShopifyApi } from './api.ts'
import { SETTING } from './documents.ts'
import { gidOf, numberOf, SettingData } from './transform.ts'

/** Returns the shop's name. People enter its name, its myshopify.com domain, or the address of its admin. */
const shopName = (value: string): string | undefined => {
  const admin = /^(?:https:\/\/)?admin\.shopify\.com\/store\/([a-z0-9][a-z0-9-]{0,60})(?:[/?#].*)?$/.exec(value)
  const own = /^(?:https?:\/\/)?([a-z0-9][a-z0-9-]{0,60})(?:\.myshopify\.com)?(?:\/admin)?\/?$/.exec(value)
  return admin?.[1] ?? own?.[1]
}

/**
 * Returns the schema of a shop: `my-shop`, `my-shop.myshopify.com` or its address, or `https://admin.shopify.com/store/my-shop`.
 *
 * The parsed value is the domain.
 */
const shopDomain = () =>
  z.pipe(
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.maxLength(500),
      z.refine((value) => shopName(value) !== undefined, {
        error: "must be the shop's myshopify.com domain, not its own one",
      }),
    ),
    z.transform((value: string) => `${shopName(value)}.myshopify.com`),
  )

const Fields = z
  .object({
    shop: shopDomain(),
    access_token: z.optional(token()),
    client_id: z.optional(token()),
    client_secret: z.optional(token()),
    blog_id: z.optional(
      z.string().check(
        z.trim(),
        z.refine((value) => /^(gid:\/\/shopify\/Blog\/)?\d{1,20}$/.test(value), {
          error: 'must be a number or a Blog gid',
        }),
      ),
    ),
    api_url: z.optional(apiUrl()),
  })
  .check(
    z.refine(({ access_token, client_id, client_secret }) => Boolean(access_token || (client_id && client_secret)), {
      path: ['access_token'],
      error: 'is required, or client_id and client_secret in its place',
    }),
  )

/** Connection form of Shopify: the shop, a token or an app's client credentials, and the blog if the shop has several. */
export const shopifyConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, shop, ...secrets } = Fields.parse(given)
    return {
      url: api_url ?? `https://${shop}`,
      urlField: api_url ? 'api_url' : 'shop',
      name: shop,
      secrets: textsOf(secrets),
    }
  },
}

/** Connected shop. `siteUrl` has no slash at its end, `blogId` is a global id. */
export type Setting = { shopName: string; siteUrl: string; blogId: string; scopes: string[] }

const listed = (blogs: SettingData['blogs']['nodes']): string =>
  blogs.map((blog) => `${blog.title ?? blog.handle} (${numberOf(blog.id)})`).join(', ')

const chosen = (data: SettingData, blogId: string | undefined): Got<string> => {
  const blogs = data.blogs.nodes
  if (blogId)
    return data.blog
      ? got(data.blog.id)
      : misfit(`blog_id: the shop has no such blog. It has: ${listed(blogs) || 'none'}.`)
  const [first, second] = blogs
  if (!first) return misfit('The shop has no blog. Add one in Shopify under Content, Blog posts, Manage blogs.')
  return second ? misfit(`blog_id is needed: the shop has several blogs: ${listed(blogs)}.`) : got(first.id)
}

/** Returns a function that reads the shop and the blog for articles, once. */
export const settingOf = (api: ShopifyApi, blogId: string | undefined) => {
  return readOnce(async (): Promise<Got<Setting>> => {
    const asked = await api.ask({
      document: SETTING,
      variables: { blogId: gidOf('Blog', blogId ?? '0'), chosen: blogId !== undefined },
      data: SettingData,
      writes: false,
    })
    if (asked.kind !== 'got') return asked
    const blog = chosen(asked.value, blogId)
    if (blog.kind !== 'got') return blog
    const { shop, currentAppInstallation } = asked.value
    return got({
      shopName: shop.name,
      siteUrl: shop.primaryDomain.url.replace(/(?<!\/)\/+$/, ''),
      blogId: blog.value,
      scopes: currentAppInstallation?.accessScopes.map(({ handle }) => handle) ?? [],
    })
  })
}
