import { type Got, got, misfit } from '../http.ts'
import type { ShopifyApi } from './api.ts'
import { SETTING } from './documents.ts'
import { gidOf, numberOf } from './transform.ts'
import { SettingData } from './types.ts'

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

/** Asks once for the shop and the blog articles go to. */
export const settingOf = (api: ShopifyApi, blogId: string | undefined) => {
  let known: Setting | undefined
  return async (): Promise<Got<Setting>> => {
    if (known) return got(known)
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
    known = {
      shopName: shop.name,
      siteUrl: shop.primaryDomain.url.replace(/(?<!\/)\/+$/, ''),
      blogId: blog.value,
      scopes: currentAppInstallation?.accessScopes.map(({ handle }) => handle) ?? [],
    }
    return got(known)
  }
}
