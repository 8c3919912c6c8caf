import * as z from 'zod/mini'
import { headerToken, noBlanks } from '../../platform/lib/fields.ts'
import type { CmsArticle, CmsField, CmsUpdate } from '../../publishing/target/cms-adapter.ts'

/**
 * True if two names of tags, categories or people are the same apart from case and blanks.
 *
 * Punctuation counts: `F#` is not `F`, although a CMS makes the same slug of both.
 */
export const isSameName = (a: string, b: string): boolean => plain(a) === plain(b)

const plain = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Returns names without later ones that are the same as an earlier one. */
export const distinctNames = (names: readonly string[]): string[] => {
  const seen = new Set<string>()
  return names.filter((name) => {
    const isNew = !seen.has(plain(name))
    seen.add(plain(name))
    return isNew
  })
}

/** A first publication: sends the article's status and date too. */
export const COMPLETE: CmsUpdate = { intent: 'complete' }

/** True if an update sends this part of the article. */
export const sends = (update: CmsUpdate, field: CmsField): boolean =>
  update.only === undefined || update.only.includes(field)

/** True if an update makes the post public. */
export const makesPublic = (update: CmsUpdate, article: CmsArticle): boolean =>
  update.intent === 'complete' && article.status === 'published'

/**
 * Returns the article without the parts that an update does not send, so that no unneeded tag, author or image is looked up or created.
 *
 * Title and text stay. Callers must not write the parts that are empty here.
 */
export const sentParts = (article: CmsArticle, update: CmsUpdate): CmsArticle => {
  const { seoTitle, canonicalUrl, image, fields, ...rest } = article
  return {
    ...rest,
    metaDescription: sends(update, 'metaDescription') ? article.metaDescription : '',
    tags: sends(update, 'tags') ? article.tags : [],
    category: sends(update, 'category') ? article.category : '',
    author: sends(update, 'author') ? article.author : '',
    ...(seoTitle && sends(update, 'seoTitle') ? { seoTitle } : {}),
    ...(canonicalUrl && sends(update, 'canonicalUrl') ? { canonicalUrl } : {}),
    ...(image && sends(update, 'image') ? { image } : {}),
    ...(fields && sends(update, 'fields') ? { fields } : {}),
  }
}

/** Part of an article by the name that mappings use for its field. */
const PARTS: Readonly<Record<string, CmsField>> = {
  title: 'title',
  body: 'html',
  summary: 'metaDescription',
  meta_description: 'metaDescription',
  meta_title: 'seoTitle',
  seo_title: 'seoTitle',
  canonical_url: 'canonicalUrl',
  image: 'image',
  image_alt: 'image',
  author: 'author',
  category: 'category',
  tags: 'tags',
}

/** True if an update sends a mapped field. Dates and states are sent only with a publication, and no mark to a post of the site’s own. */
export const sendsMapped = (update: CmsUpdate, part: string, { isAdopted }: Pick<CmsArticle, 'isAdopted'>): boolean => {
  const field = PARTS[part]
  if (part === 'marker') return isAdopted !== true
  if (field === undefined) return update.intent === 'complete'
  return sends(update, field)
}

/** Returns a schema of an object in which each of these fields is optional and has the same type. */
export const optionalFields = <const Name extends string, Field extends z.ZodMiniType>(
  names: readonly Name[],
  field: Field,
) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.optional(field)])) as Record<Name, z.ZodMiniOptional<Field>>)

/** Returns the schema of a token or key for an HTTP header: visible ASCII, at most 4,000 characters (some are JWTs). */
export const token = () => headerToken(4_000)

/** Returns the schema of a provider's id: letters, digits, `-` and `_`, at most 100 characters. */
export const remoteId = () =>
  z.string().check(
    z.trim(),
    z.refine((value) => /^[\w-]{1,100}$/.test(value), { error: 'must be an id of letters, digits, - and _' }),
  )

const isPageAddress = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  )
}

/** Returns the schema of an absolute http(s) address that slugs are appended to. Trailing slashes are removed. */
export const addressPrefix = () => prefix(false)

/** Returns the schema of an address prefix that the service calls. Another scheme, or credentials, are refused as `forbidden_url`. */
export const fetchablePrefix = () => prefix(true)

const prefix = (isAddress: boolean) =>
  z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(500),
      noBlanks(),
      z.refine(isPageAddress, {
        error: 'must be an absolute http or https URL without query or credentials',
        params: { isAddress },
      }),
    ),
    z.transform((value: string) => value.replace(/(?<!\/)\/+$/, '')),
  )

/** Returns the schema of another base address for a provider's API, on this machine only. Development uses it for stand-ins. */
export const apiUrl = () =>
  z.pipe(
    z.string().check(
      z.trim(),
      z.refine((value) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?\/?$/.test(value), {
        error: "must be a loopback address; leave it out for the provider's own",
      }),
    ),
    z.transform((value: string) => value.replace(/(?<!\/)\/+$/, '')),
  )

/** Connection of a platform, made from the fields of its form. */
export type Opened = {
  /** Address that calls are sent to. */
  url: string
  /** The field that `url` came from. */
  urlField: string
  /** A label for people. */
  name: string
  secrets: Record<string, string>
}

/** Returns settings as `secrets` stores them: texts only, without missing ones. */
export const textsOf = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** Returns a JSON object or list stored as text in `secrets`; undefined if it is missing or invalid. */
export const jsonOf = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
