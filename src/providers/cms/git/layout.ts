import type { Generator } from './body.ts'
import { type Problem, setKey, splitFile, valuesOf } from './front-matter.ts'
import type { RepositoryFile } from './host.ts'

/** Parts of an article that front matter may have a key for. */
export const PARTS = [
  'title',
  'description',
  'date',
  'updated',
  'tags',
  'category',
  'author',
  'image',
  'image_alt',
  'slug',
  'draft',
  'seo_title',
  'canonical_url',
  'marker',
] as const
export type Part = (typeof PARTS)[number]

/** Keys of the front matter by part; `''`: the part is not written. */
type Keys = Readonly<Partial<Record<Part, string>>>

/** Ways to take a post down: set its draft key, or delete its file. */
export const TAKE_DOWNS = ['draft', 'delete'] as const

/** Form of the posts in a repository. */
export type Layout = {
  generator: Generator
  branch: string
  /** Path of a post, with `{slug}` and perhaps `{year}`, `{month}`, `{day}`. */
  path: string
  /** Front matter of a new post. Values of known keys are examples. */
  frontMatter: string
  keys: Keys
  unpublish: (typeof TAKE_DOWNS)[number]
  /** Public address of a post, with the same placeholders; empty if unknown. */
  postUrl: string
}

const CONFIGS: readonly [Exclude<Generator, 'other'>, RegExp][] = [
  ['astro', /^astro\.config\.(?:[cm]?js|m?ts)$/],
  ['docusaurus', /^docusaurus\.config\.(?:[cm]?js|m?ts)$/],
  ['eleventy', /^(?:eleventy\.config\.(?:[cm]?js|ts)|\.eleventy\.js)$/],
  [
    'hugo',
    /^(?:hugo\.(?:toml|ya?ml|json)|config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json)|archetypes\/default\.md)$/,
  ],
  ['jekyll', /^_config\.(?:ya?ml|toml)$/],
  ['next', /^next\.config\.(?:[cm]?js|ts)$/],
]

/** Returns the generator of a repository, with its folder and config file: the one nearest to the root. */
export const generatorIn = (paths: readonly string[]): { generator: Generator; root: string; config?: string } => {
  const found = paths
    .flatMap((path) => {
      for (const [generator, name] of CONFIGS) {
        const parts = path.split('/')
        for (const tail of [parts.slice(-1), parts.slice(-2), parts.slice(-3)]) {
          const root = parts.slice(0, parts.length - tail.length)
          if (name.test(tail.join('/')) && !root.includes('node_modules'))
            return [{ generator, root: root.map((part) => `${part}/`).join(''), config: path, depth: root.length }]
        }
      }
      return []
    })
    .sort((a, b) => a.depth - b.depth)
  return found[0] ?? { generator: 'other', root: '' }
}

/** Returns the file of a Hugo site's settings: a repository may have its archetypes only beside `config.toml`. */
const SETTINGS =
  /^(?:(?:hugo|config)\.(?:toml|ya?ml)|config\/_default\/(?:hugo|config)\.(?:toml|ya?ml)|CNAME|public\/CNAME|static\/CNAME)$/

/** Returns the paths of files that may say at which address the site is. */
export const settingsIn = (paths: readonly string[], root: string, config: string | undefined): string[] => [
  ...(config === undefined || /\.md$/.test(config) ? [] : [config]),
  ...paths.filter((path) => path.startsWith(root) && SETTINGS.test(path.slice(root.length)) && path !== config),
]

const MARKDOWN = /\.(?:md|mdx|markdown)$/
const NO_POST = /^(?:readme|changelog|contributing|license|code_of_conduct|security|about|_index|404)\b/i
const NO_FOLDER = /(?:^|\/)(?:\.[^/]*|node_modules|docs?|archetypes|test|tests|pages\/(?:about|contact))\//

/** Returns the form of a post's path: `blog/2026-01-31-shed.md` is `blog/{year}-{month}-{day}-{slug}.md`. */
export const formOf = (path: string): string => {
  const parts = path.split('/')
  const file = parts.pop() ?? ''
  const extension = MARKDOWN.exec(file)?.[0] ?? ''
  const isBundle = file === `index${extension}` && parts.length > 0
  const name = isBundle ? (parts.pop() ?? '') : file.slice(0, file.length - extension.length)
  const dated = /^\d{4}-\d\d-\d\d-(?=.)/.test(name) ? '{year}-{month}-{day}-{slug}' : '{slug}'
  const folders = parts.map((part, n) => {
    if (/^20\d\d$/.test(part)) return '{year}'
    return /^20\d\d$/.test(parts[n - 1] ?? '') && /^\d\d$/.test(part) ? '{month}' : part
  })
  return [...folders, ...(isBundle ? [dated, `index${extension}`] : [`${dated}${extension}`])].join('/')
}

const POST_FOLDER = /(?:^|\/)(?:_?posts?|blogs?|articles?|news|writing)(?:\/|$)/i

/** Number of files that are read to learn their form. */
const MAX_READ = 10

/** Form of paths, with the newest files that have it, as far as names tell. */
export type Folder = { form: string; count: number; newest: string[] }

/** Returns the forms of paths that posts may have, the most likely first. */
export const foldersIn = (paths: readonly string[], root: string): Folder[] => {
  const byForm = new Map<string, string[]>()
  for (const path of paths) {
    const inner = path.slice(root.length)
    if (!path.startsWith(root) || !MARKDOWN.test(path) || NO_FOLDER.test(inner)) continue
    if (NO_POST.test(path.split('/').at(-1) ?? '')) continue
    const form = formOf(path)
    // A single page such as `about/index.md` has no folder of its own.
    if (form === root + form.slice(root.length) && !form.slice(root.length).includes('/')) continue
    byForm.set(form, [...(byForm.get(form) ?? []), path])
  }
  const score = ({ form, count }: Folder) => count * (POST_FOLDER.test(form) ? 20 : 1)
  return [...byForm]
    .map(([form, all]) => ({ form, count: all.length, newest: all.sort().slice(-MAX_READ) }))
    .sort((a, b) => score(b) - score(a))
}

const NAMES: Readonly<Record<Part, readonly string[]>> = {
  title: ['title'],
  description: ['description', 'excerpt', 'summary', 'metaDescription', 'subtitle'],
  date: [
    'date',
    'pubDate',
    'publishDate',
    'publishedAt',
    'pubDatetime',
    'published',
    'publishedDate',
    'published_at',
    'created',
  ],
  updated: ['updatedDate', 'lastmod', 'updated', 'modDatetime', 'updatedAt', 'last_modified_at', 'modified'],
  tags: ['tags', 'keywords'],
  category: ['category', 'categories'],
  author: ['author'],
  image: [
    'image',
    'heroImage',
    'coverImage',
    'cover',
    'featured_image',
    'feature_image',
    'thumbnail',
    'ogImage',
    'banner',
  ],
  image_alt: ['imageAlt', 'image_alt', 'heroImageAlt', 'coverAlt', 'coverImageAlt', 'alt'],
  slug: ['slug'],
  draft: ['draft', 'isDraft', 'published'],
  seo_title: ['seoTitle', 'seo_title', 'metaTitle', 'meta_title'],
  canonical_url: ['canonical', 'canonicalUrl', 'canonicalURL', 'canonical_url'],
  marker: [],
}

const isDate = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** Returns why a value cannot be ours; undefined if a key with it can have the part. */
const FITS: Partial<Record<Part, (value: unknown) => boolean>> = {
  date: isDate,
  updated: isDate,
  draft: (value) => typeof value === 'boolean',
  tags: (value) => typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  category: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  image: (value) => typeof value === 'string' && /^(?:https?:)?\/\//.test(value),
}

/** Draft keys that generators know by themselves. */
const OWN_DRAFT: Partial<Record<Generator, string>> = { hugo: 'draft', docusaurus: 'draft', jekyll: 'published' }

const keysIn = (values: readonly Record<string, unknown>[], generator: Generator, markerKey: string): Keys => {
  const keys: Partial<Record<Part, string>> = {}
  for (const part of PARTS) {
    const fits = FITS[part] ?? ((value: unknown) => typeof value === 'string')
    const name = NAMES[part].find((one) => values.some((all) => one in all && fits(all[one])))
    if (name !== undefined) keys[part] = name
  }
  const own = OWN_DRAFT[generator]
  // `published` is a boolean at Jekyll and a date at Hugo.
  const draft = keys.draft ?? own
  return { ...keys, title: keys.title ?? 'title', ...(draft === undefined ? {} : { draft }), marker: markerKey }
}

/** Keys that generators know although no post has them. */
const OFFERED: Partial<Record<Generator, Keys>> = {
  hugo: { description: 'description', tags: 'tags' },
  jekyll: { description: 'description', tags: 'tags' },
  docusaurus: { description: 'description', tags: 'tags', image: 'image' },
}

type Sample = { yaml: string; values: Record<string, unknown>; path: string }

const samplesOf = (files: readonly RepositoryFile[]): { samples: Sample[]; problems: string[] } => {
  const samples: Sample[] = []
  const problems: string[] = []
  for (const { path, text } of files) {
    const parts = splitFile(text)
    const read = 'problem' in parts ? parts : valuesOf(parts.yaml)
    if ('problem' in parts) problems.push(parts.problem)
    else if ('problem' in read) problems.push(read.problem)
    else samples.push({ yaml: parts.yaml, values: read.values, path })
  }
  return { samples, problems }
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the front matter of the newest post without what belongs to that post alone. Values that all posts share stay. */
const templateOf = (newest: Sample, samples: readonly Sample[], keys: Keys): string => {
  const known = new Set(Object.values(keys))
  let yaml = newest.yaml
  const change = (key: string, value: Parameters<typeof setKey>[2]): void => {
    const next = setKey(yaml, key, value)
    if (typeof next === 'string') yaml = next
  }
  for (const [key, value] of Object.entries(newest.values)) {
    const isShared = samples.length > 1 && samples.every((one) => sameJson(one.values[key], value))
    const isList = key === keys.tags || (key === keys.category && Array.isArray(value))
    if (isList && Array.isArray(value)) {
      const shared =
        samples.length > 1
          ? value.filter((one) => samples.every(({ values }) => [values[key]].flat().includes(one)))
          : []
      change(key, shared)
    } else if (key === keys.author || key === keys.category) {
      if (!isShared) change(key, undefined)
    } else if (key === keys.title) change(key, 'Title')
    else if (key === keys.description) change(key, 'Description')
    else if (key === keys.slug) change(key, 'slug')
    else if (key === keys.draft) change(key, key === 'published')
    else if (known.has(key) && key !== keys.date) change(key, undefined)
    else if (!known.has(key) && !isShared) change(key, undefined)
  }
  return yaml
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
}

const newestOf = (samples: readonly Sample[], dateKey: string | undefined): Sample | undefined =>
  [...samples].sort((a, b) => {
    const [x, y] = [a, b].map(({ values }) => (dateKey && isDate(values[dateKey]) ? Date.parse(values[dateKey]) : 0))
    return (y ?? 0) - (x ?? 0) || (a.path < b.path ? 1 : -1)
  })[0]

/** Returns the form of the posts in these files, or why they cannot be written. */
export const learnPosts = (
  files: readonly RepositoryFile[],
  generator: Generator,
  markerKey: string,
): Pick<Layout, 'frontMatter' | 'keys' | 'unpublish'> | Problem => {
  const { samples, problems } = samplesOf(files)
  if (samples.length === 0) return { problem: problems[0] ?? 'there is no post' }
  const keys = {
    ...OFFERED[generator],
    ...keysIn(
      samples.map(({ values }) => values),
      generator,
      markerKey,
    ),
  }
  const newest = newestOf(samples, keys.date) as Sample
  return {
    keys,
    frontMatter: templateOf(newest, samples, keys),
    unpublish: keys.draft ? 'draft' : 'delete',
  }
}

/** True if files look like posts: they have titles and dates. */
export const areDated = (files: readonly RepositoryFile[], form: string): boolean => {
  const { samples } = samplesOf(files)
  const dated = samples.filter(({ values }) => NAMES.date.some((name) => isDate(values[name])))
  return form.includes('{day}') || dated.length * 2 > files.length
}

const clean = (address: string): string => address.replace(/\/+$/, '')

const ADDRESSES: Partial<Record<Generator, RegExp>> = {
  astro: /\bsite:\s*['"`](https?:\/\/[^'"`\s]+)/,
  docusaurus: /\burl:\s*['"`](https?:\/\/[^'"`\s]+)/,
  hugo: /^\s*baseURL\s*[=:]\s*['"]?(https?:\/\/[^'"\s]+)/im,
  jekyll: /^url:\s*['"]?(https?:\/\/[^'"\s#]+)/m,
}

const BASES: Partial<Record<Generator, RegExp>> = {
  astro: /\bbase:\s*['"`]([^'"`\s]+)/,
  docusaurus: /\bbaseUrl:\s*['"`]([^'"`\s]+)/,
  jekyll: /^baseurl:\s*['"]?([^'"\s#]+)/m,
}

/** Returns the site's address from its config files, or from the host's page of the repository; empty if neither has one. */
export const siteIn = (generator: Generator, files: readonly RepositoryFile[], homepage: string): string => {
  const texts = files.filter(({ path }) => !path.endsWith('CNAME')).map(({ text }) => text)
  const find = (pattern: RegExp | undefined) =>
    pattern && texts.map((text) => pattern.exec(text)?.[1]).find((one) => one)
  const base = (find(BASES[generator]) ?? '').replace(/^\/?/, '/')
  const own = find(ADDRESSES[generator])
  if (own) return clean(`${clean(own)}${base}`)
  const cname = files.find(({ path }) => path.endsWith('CNAME'))?.text.trim()
  if (cname && /^[\w.-]+$/.test(cname)) return `https://${cname}`
  return /^https?:\/\/[^\s?#]+$/.test(homepage) ? clean(homepage) : ''
}

/** Returns the path of pages for single posts in a site with routes by file: `src/pages/blog/[slug].astro` is `blog`. */
const routeIn = (paths: readonly string[], root: string, folder: string): string | undefined => {
  const routes = paths.flatMap((path) => {
    const inner = path.startsWith(root) ? path.slice(root.length) : ''
    const found =
      /^(?:src\/)?(?:pages|app)\/((?:[\w()-]+\/)*)\[(?:\.{3})?\w+\](?:\/(?:index|page))?\.\w+$/.exec(inner) ?? undefined
    return found ? [(found[1] ?? '').replace(/\([\w-]+\)\//g, '').replace(/\/$/, '')] : []
  })
  return routes.find((one) => one.split('/').at(-1) === folder) ?? (routes.length === 1 ? routes[0] : undefined)
}

const JEKYLL_STYLES: Readonly<Record<string, string>> = {
  date: '/{year}/{month}/{day}/{slug}.html',
  pretty: '/{year}/{month}/{day}/{slug}/',
  none: '/{slug}.html',
}

const jekyllPath = (texts: readonly string[]): string => {
  const given = texts.map((text) => /^permalink:\s*['"]?([^'"\s#]+)/m.exec(text)?.[1]).find((one) => one) ?? 'date'
  const style = JEKYLL_STYLES[given]
  if (style !== undefined) return style
  return given
    .replace(/\/?:categories/, '')
    .replace(/:(year|month|day)\b/g, '{$1}')
    .replace(/:(?:title|slug)\b/g, '{slug}')
    .replace(/^\/?/, '/')
}

type Site = { paths: readonly string[]; root: string; files: readonly RepositoryFile[]; homepage: string }

/** Returns the likely address of posts; empty if the site's address is not known. */
export const postUrlOf = (
  generator: Generator,
  form: string,
  { paths, root, files, homepage }: Site,
  hasSlugKey: boolean,
): string => {
  const site = siteIn(generator, files, homepage)
  if (site === '') return ''
  const folders = form
    .slice(root.length)
    .split('/')
    .filter((part) => !part.includes('{') && !/^index\./.test(part))
  const folder = folders.at(-1) ?? ''
  const inner = folders.filter((part, n) => n > 0 || !/^(?:src|content|_posts|site|app|input)$/.test(part)).join('/')
  const within = (path: string, end: string) => `${site}${path === '' ? '' : `/${path}`}/{slug}${end}`
  if (generator === 'jekyll') return `${site}${jekyllPath(files.map(({ text }) => text))}`
  if (generator === 'docusaurus')
    return hasSlugKey || !form.includes('{day}') ? within(inner, '') : `${site}/${inner}/{year}/{month}/{day}/{slug}`
  if (generator === 'next') return within(routeIn(paths, root, folder) ?? folder, '')
  if (generator === 'astro') {
    const isPage = folders[0] === 'src' && folders[1] === 'pages'
    return within(isPage ? folders.slice(2).join('/') : (routeIn(paths, root, folder) ?? folder), '/')
  }
  return within(inner, '/')
}

/** Values of the placeholders of a post. */
export type Places = { slug: string; date: string }

/** Returns a path or address with the values of a post. */
export const filled = (form: string, { slug, date }: Places): string =>
  form
    .replaceAll('{slug}', slug)
    .replaceAll('{year}', date.slice(0, 4))
    .replaceAll('{month}', date.slice(5, 7))
    .replaceAll('{day}', date.slice(8, 10))

const PLACES: Readonly<Record<string, string>> = {
  '{slug}': '(?<slug>[^/]+?)',
  '{year}': '\\d{4}',
  '{month}': '\\d\\d',
  '{day}': '\\d\\d',
}

/** Returns the slug in a path of this form; undefined for other paths. */
export const slugIn = (form: string, path: string): string | undefined => {
  const pattern = form
    .split(/(\{\w+\})/)
    .map((part) => PLACES[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('')
  return new RegExp(`^${pattern}$`).exec(path)?.groups?.slug
}

/** Returns the folder above all placeholders of a path; empty for the root. */
export const folderOf = (form: string): string => {
  const fixed = form.slice(0, form.indexOf('{'))
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/')))
}
