import type { PublishingPlatform } from '../../../../schema/values/publishing.ts'
import { PLUGIN_PATH } from '../../../accounts/people/paths.ts'
import { PARTS as FRAMER_PARTS } from '../../../providers/cms/framer/mapping.ts'
import { PARTS as GIT_PARTS } from '../../../providers/cms/git/layout.ts'
import { MAPPED_PARTS } from '../../../providers/cms/mapped-fields.ts'
import { PARTS as NOTION_PARTS } from '../../../providers/cms/notion/mapping.ts'
import { MAPPED as WEBFLOW_PARTS } from '../../../providers/cms/webflow/transform.ts'

/** Field of a platform's form. `name` is the field of the API's body. */
export type FormField = {
  name: string
  label: string
  hint?: string
  /**
   * `secret` is never shown again. `list` has texts with commas between them. `map` has one text for each of `parts`. `lines` has
   * several lines.
   */
  kind: 'text' | 'secret' | 'check' | 'list' | 'map' | 'lines'
  optional?: true
  parts?: readonly string[]
}

/**
 * Form that connects a platform: its title, a line about it, and its fields. `looks`: some can be filled with what is found at the
 * platform, before anything is saved.
 */
export type PlatformForm = {
  title: string
  about: string
  download?: string
  looks?: true
  fields: readonly FormField[]
}

const text = (name: string, label: string, hint?: string): FormField => ({
  name,
  label,
  kind: 'text',
  ...(hint === undefined ? {} : { hint }),
})
const secret = (name: string, label: string, hint?: string): FormField => ({
  ...text(name, label, hint),
  kind: 'secret',
})
const optional = (field: FormField): FormField => ({ ...field, optional: true })
const map = (name: string, label: string, parts: readonly string[]): FormField => ({
  name,
  label,
  kind: 'map',
  optional: true,
  parts,
  hint: 'Only what differs from the usual names; a hyphen leaves a part out',
})

/** Field for a local stand-in of a platform's API. It is offered only if the service accepts private hosts. */
const API_URL = optional(text('api_url', 'Address of the API', 'Of a stand-in on this machine, for development'))

const FORMS: Record<PublishingPlatform, PlatformForm> = {
  wordpress: {
    title: 'WordPress',
    about:
      'With the key of the service’s plugin, or with a user and an application password (Users, Profile, Application Passwords).',
    download: PLUGIN_PATH,
    fields: [
      text('cms_url', 'Address of the site', 'For example https://blog.example'),
      optional(text('cms_username', 'User', 'Only with an application password; empty with the plugin’s key')),
      secret('integration_key', 'Plugin key or application password'),
    ],
  },
  webflow: {
    title: 'Webflow',
    about: 'With a site token that may read and write CMS and sites (Site settings, Apps and integrations).',
    fields: [
      secret('api_token', 'Site token'),
      text('site_id', 'Site id', '24 hexadecimal digits, in the site settings'),
      text('collection_id', 'Collection id', '24 hexadecimal digits, in the collection’s settings'),
      optional(text('url_prefix', 'Address before the slugs', 'For example https://www.example.com/blog')),
      map('field_mapping', 'Fields of the collection', WEBFLOW_PARTS),
    ],
  },
  shopify: {
    title: 'Shopify',
    about:
      'With an access token, or with the client id and secret of an app of your own that is installed in the shop.',
    fields: [
      text('shop', 'Shop', 'For example my-shop.myshopify.com'),
      optional(secret('access_token', 'Access token')),
      optional(text('client_id', 'Client id', 'Instead of an access token')),
      optional(secret('client_secret', 'Client secret', 'Instead of an access token')),
      optional(text('blog_id', 'Blog', 'Only if the shop has several blogs')),
    ],
  },
  ghost: {
    title: 'Ghost',
    about: 'With a custom integration (Settings, Integrations, Add custom integration).',
    fields: [text('api_url', 'API URL', 'As the integration shows it'), secret('admin_api_key', 'Admin API key')],
  },
  directus: {
    title: 'Directus',
    about: 'With a static token of a user that may write the collection and files, and read its fields.',
    fields: [
      text('api_url', 'Address of Directus', 'For example https://cms.example.com'),
      secret('access_token', 'Static token'),
      optional(text('collection', 'Collection', 'Leave it empty to see which collections fit')),
      optional(text('url_prefix', 'Address before the slugs', 'For example https://www.example.com/blog')),
      map('field_mapping', 'Fields of the collection', [...MAPPED_PARTS, 'status_published', 'status_draft']),
    ],
  },
  strapi: {
    title: 'Strapi',
    about:
      'Strapi 5, with an API token that may find, create and update the content type, upload files and read content types.',
    fields: [
      text('api_url', 'Address of Strapi', 'For example https://cms.example.com'),
      secret('api_token', 'API token'),
      optional(
        text('content_type', 'Content type', 'Its plural API ID, such as posts; leave it empty to see which fit'),
      ),
      optional(text('url_prefix', 'Address before the slugs', 'For example https://www.example.com/blog')),
      optional(secret('admin_token', 'Admin token', 'Only for taking articles down')),
      map(
        'field_mapping',
        'Fields of the content type',
        MAPPED_PARTS.filter((part) => part !== 'status'),
      ),
    ],
  },
  wix: {
    title: 'Wix',
    about: 'With an API key of the site owner’s account that may manage the blog and media.',
    fields: [
      secret('api_key', 'API key'),
      text('site_id', 'Site id', 'In the address of the site’s dashboard'),
      optional(text('member_id', 'Author', 'Id of the site member who is the author')),
    ],
  },
  notion: {
    title: 'Notion',
    about: 'With an internal integration; share the database with it first.',
    fields: [
      secret('integration_token', 'Integration token'),
      text('database_id', 'Database', 'Its address, or its id of 32 digits'),
      map('property_mapping', 'Properties of the database', [...NOTION_PARTS, 'status_published', 'status_draft']),
    ],
  },
  gohighlevel: {
    title: 'GoHighLevel',
    about: 'With a private integration token of the sub-account that may read and write blogs and media.',
    fields: [
      secret('private_token', 'Private token'),
      text('location_id', 'Location id'),
      text('blog_url', 'Address of the blog', 'Where readers find it, for example https://www.example.com/blog'),
      optional(text('blog_id', 'Blog id', 'Only if the location has several blogs')),
      optional(text('author_id', 'Author id', 'For posts whose author is not in the blog')),
      optional({
        name: 'category_ids',
        label: 'Category ids',
        kind: 'list',
        hint: 'For posts without a category; with commas between',
      }),
      optional(text('default_image_url', 'Image', 'Address of the image for posts without one')),
    ],
  },
  framer: {
    title: 'Framer',
    about: 'With an API key of the project (Site settings, General).',
    fields: [
      text('project_url', 'Project', 'Its address, https://framer.com/projects/…'),
      secret('api_key', 'API key'),
      text('collection', 'Collection', 'Its name'),
      optional({ name: 'publish_site', label: 'Publish the whole site with each article', kind: 'check' }),
      map('field_mapping', 'Fields of the collection', FRAMER_PARTS),
    ],
  },
  git: {
    title: 'Git repository',
    about:
      'A site made from Markdown files in a repository at GitHub, GitLab, Gitea or Forgejo. The token needs to write this repository, and for pull requests also those. How the posts are written is found in the repository.',
    fields: [
      text('repository', 'Repository', 'For example jane/blog, or its address'),
      secret('token', 'Access token', 'At GitHub a fine-grained one, elsewhere one of the project or user'),
      optional(text('host', 'Host', 'github, gitlab, gitea or forgejo; empty if the address says it')),
      optional(
        text('host_url', 'Address of the host', 'Only of an instance of your own, for example https://git.example.com'),
      ),
      optional(text('branch', 'Branch', 'Otherwise the default branch')),
      optional(text('mode', 'Way of publishing', 'commit: on the branch. pull_request: people merge each article')),
      optional(text('generator', 'Generator', 'astro, hugo, next, eleventy, jekyll, docusaurus or other')),
      optional(text('path', 'Path of a post', 'For example src/content/blog/{slug}.md')),
      optional({
        name: 'front_matter',
        label: 'Front matter of a new post',
        kind: 'lines',
        hint: 'YAML, without its fences',
      }),
      optional(text('post_url', 'Address of a post', 'For example https://blog.example/blog/{slug}/')),
      optional(text('unpublish', 'Taking a post down', 'draft: by its draft key. delete: its file is deleted')),
      map('keys', 'Keys of the front matter', GIT_PARTS),
    ],
    looks: true,
  },
  webhook: {
    title: 'Webhook',
    about: 'A receiver of your own: articles are sent to its address, with the token that it expects.',
    fields: [
      text('url', 'Address', 'For example https://receiver.example/hook'),
      secret('access_token', 'Access token', 'Chosen by you; sent along with every delivery'),
    ],
  },
}

/** Platforms whose API has one address for everybody. In development, `api_url` points to a stand-in. */
const WITH_STAND_IN: readonly PublishingPlatform[] = ['webflow', 'shopify', 'wix', 'notion', 'gohighlevel', 'git']

/** Returns the form that connects a platform; undefined for an unknown platform. */
export const platformForm = (platform: string, allowsLoopback: boolean): PlatformForm | undefined => {
  if (!Object.hasOwn(FORMS, platform)) return undefined
  const form = FORMS[platform as PublishingPlatform]
  const isSwapped = allowsLoopback && WITH_STAND_IN.includes(platform as PublishingPlatform)
  return isSwapped ? { ...form, fields: [...form.fields, API_URL] } : form
}

/** Platforms in the order of the list. */
export const PLATFORM_NAMES: readonly (readonly [string, string])[] = Object.entries(FORMS).map(([name, { title }]) => [
  name,
  title,
])

const mapped = (field: FormField, sent: Record<string, string>): Record<string, string> | undefined => {
  const given = (field.parts ?? []).flatMap((part) => {
    const value = (sent[`${field.name}.${part}`] ?? '').trim()
    return value === '' ? [] : [[part, value === '-' ? '' : value]]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

const valueIn = (field: FormField, sent: Record<string, string>): unknown => {
  const value = (sent[field.name] ?? '').trim()
  if (field.kind === 'map') return mapped(field, sent)
  if (field.kind === 'check') return value === '' ? undefined : true
  if (value === '') return undefined
  return field.kind === 'list' ? value.split(',').map((one) => one.trim()) : value
}

/** Returns the API's body for a submitted form. Empty fields are left out. */
export const bodyOf = (form: PlatformForm, sent: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    form.fields.flatMap((field) => {
      const value = valueIn(field, sent)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )

/** Returns the values of a form for settings that were found at its platform. What a person entered stays. */
export const filledWith = (
  form: PlatformForm,
  sent: Record<string, string>,
  found: Readonly<Record<string, string>>,
): Record<string, string> => {
  const values = form.fields.flatMap(({ name, kind }): [string, string][] => {
    const value = found[name]
    if (value === undefined) return []
    if (kind !== 'map') return [[name, value]]
    return Object.entries(JSON.parse(value) as Record<string, string>).map(([part, key]) => [
      `${name}.${part}`,
      key || '-',
    ])
  })
  const entered = Object.entries(sent).filter(([, value]) => value.trim() !== '')
  return { ...sent, ...Object.fromEntries(values), ...Object.fromEntries(entered) }
}
