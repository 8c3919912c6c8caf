import * as z from 'zod/mini'
import { TRAFFIC_KINDS } from '../../../../schema/values/traffic.ts'

const id = z.int().check(z.gte(1))
/** With context=edit WordPress returns the text as stored. */
const raw = z.object({ raw: z.string() })

/** An error of WordPress or of our plugin in a REST answer. */
export const WordpressError = z.object({
  code: z.string(),
  message: z._default(z.string(), ''),
  data: z.catch(
    z.nullish(
      z.object({
        status: z.optional(z.unknown()),
        term_id: z.optional(z.unknown()),
        params: z.optional(z.unknown()),
        details: z.optional(z.unknown()),
      }),
    ),
    undefined,
  ),
})

export const SiteIndex = z.object({
  name: z._default(z.string(), ''),
  url: z._default(z.string(), ''),
  home: z._default(z.string(), ''),
  namespaces: z.array(z.string()),
  authentication: z.optional(z.unknown()),
})

export const Me = z.object({ id, name: z.string(), capabilities: z.record(z.string(), z.unknown()) })

export const Post = z.object({
  id,
  slug: z.string(),
  status: z.string(),
  link: z._default(z.string(), ''),
  permalink_template: z.optional(z.string()),
  date_gmt: z.nullish(z.string()),
  modified_gmt: z.optional(z.string()),
  title: raw,
  content: z.optional(raw),
  featured_media: z._default(z.int(), 0),
  password: z._default(z.string(), ''),
  /** Rights of the user over the post, if they were requested. */
  _links: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
})

export const Posts = z.array(Post)

export const Pages = z.array(z.object({ id, link: z._default(z.string(), ''), title: raw }))

/** Search results. A search finds posts of every type by id. */
export const Hits = z.array(z.object({ id, title: z.string(), url: z.string(), subtype: z.string() }))

export const PostVersion = z.object({
  title: raw,
  content: raw,
  excerpt: raw,
  tags: z._default(z.array(id), []),
  categories: z._default(z.array(id), []),
  featured_media: z._default(z.int(), 0),
  modified_gmt: z.optional(z.string()),
})

export const Terms = z.array(z.object({ id, name: z.string() }))
export const Created = z.object({ id })
export const Users = z.array(z.object({ id, name: z.string() }))
export const Media = z.object({ id, source_url: z.string(), alt_text: z._default(z.string(), '') })
export const MediaList = z.array(Media)

export const PluginStatus = z.object({
  ok: z.literal(true),
  name: z.string(),
  url: z.string(),
  plugin_version: z.string(),
})

export const PluginPost = z.object({
  id,
  external_id: z.string(),
  status: z.string(),
  slug: z.string(),
  title: z.string(),
  url: z.nullable(z.string()),
  has_password: z._default(z.boolean(), false),
  created_at: z.nullable(z.string()),
  matched_by: z.optional(z.enum(['external_id', 'id', 'slug'])),
  notes: z.optional(z.array(z.string())),
})

const pluginListed = {
  id,
  title: z.string(),
  url: z.nullable(z.string()),
  status: z.string(),
  date_gmt: z.nullable(z.string()),
  modified_gmt: z.nullable(z.string()),
  author: z.nullable(z.string()),
  language: z.nullable(z.string()),
}

/** A page of the site's posts. `next`: the id after which the next page begins; 0 on the last one. */
export const PluginPage = z.object({ posts: z.array(z.object(pluginListed)), next: z.int(), total: z.int() })

/** Any post of the site with its stored text. `builder`: the page builder that draws it, or empty. */
export const PluginStored = z.object({
  ...pluginListed,
  slug: z.string(),
  content: z.string(),
  excerpt: z.string(),
  description: z.string(),
  seo_title: z.string(),
  canonical: z.string(),
  tags: z.array(z.string()),
  categories: z.array(z.string()),
  image_url: z.string(),
  image_alt: z.string(),
  has_password: z.boolean(),
  builder: z.string(),
})

export const PluginTraffic = z.object({
  since: z.union([z.literal(''), z.iso.date()]),
  counted: z.boolean(),
  counts: z.array(z.object({ post: id, kind: z.enum(TRAFFIC_KINDS), name: z.string(), count: id })),
})

export const PluginMedia = z.object({ id, url: z.string() })

export const PluginKeyFile = z.object({ location: z.string() })

/** A version as the plugin returns and accepts it. */
export const PluginVersion = z.looseObject({
  title: z.string(),
  content: z.string(),
  excerpt: z._default(z.string(), ''),
  tag_names: z.optional(z.array(z.string())),
  category_names: z.optional(z.array(z.string())),
})

export type WordpressPost = z.infer<typeof Post>
export type PluginPostJson = z.infer<typeof PluginPost>
export type WordpressErrorJson = z.infer<typeof WordpressError>
