import type { FieldValue, OwnFields } from '../../../schema/values/own-fields.ts'
import { decodeReferences, escapeText } from '../../content/html/references.ts'
import type {
  Cms,
  CmsArticle,
  CmsFound,
  CmsPost,
  CmsResult,
  CmsVersion,
  CmsWords,
} from '../../publishing/target/cms-adapter.ts'
import type { PlainText, SitePost, StoredPost } from '../../publishing/target/site-posts.ts'

/**
 * Language in which a CMS reads a field.
 * - `text`: plain text, which its pages escape. Also a text inside rich JSON.
 * - `html`: HTML. `<` begins a tag, `&` a reference.
 * - `printed`: text that templates print, some with an escape and some without (Liquid).
 */
type Language = 'text' | 'html' | 'printed'

/** Language of each text field of a CMS. `name`: tags, categories and bylines. `field`: fields of the CMS's own. */
export type Languages = Readonly<
  Record<'title' | 'metaDescription' | 'seoTitle' | 'imageAlt' | 'name' | 'field', Language>
>

/** Languages of a CMS that escapes all its text fields. */
export const ALL_TEXT: Languages = {
  title: 'text',
  metaDescription: 'text',
  seoTitle: 'text',
  imageAlt: 'text',
  name: 'text',
  field: 'text',
}

/** Word joiner, an invisible character without width. */
const JOINER = '\u2060'
const JOINED = new RegExp(`([<&])${JOINER}`, 'g')
/** Signs that could begin a tag or a reference. */
const MARKUP = /<|&(?=#?[a-z\d])/gi
/** Longest name of a reference, with room. */
const MAX_REFERENCE = 40

/** Returns text with each sign replaced that would begin a tag or a reference. Other signs, as in `A & B`, stay. */
const withoutMarkup = (text: string, replaced: (sign: string) => string): string =>
  text.replace(MARKUP, (sign, at: number) =>
    sign === '<' || !decodeReferences(text.slice(at, at + MAX_REFERENCE)).startsWith(text.slice(at, at + 2))
      ? replaced(sign)
      : sign,
  )

const ENCODE: Readonly<Record<Language, (text: PlainText) => string>> = {
  text: (text) => text,
  html: (text) => withoutMarkup(text, escapeText),
  printed: (text) => withoutMarkup(text, (sign) => `${sign}${JOINER}`),
}

const DECODE: Readonly<Record<Language, (text: string) => PlainText>> = {
  text: (text) => text,
  html: decodeReferences,
  printed: (text) => text.replace(JOINED, '$1'),
}

/** Returns text for templates that print it with or without an escape. */
export const printed = (text: PlainText): string => ENCODE.printed(text)

/** Returns the text that was given to `printed`. */
export const unprinted = (text: string): PlainText => DECODE.printed(text)

const encodeArticle = (languages: Languages, article: CmsArticle): CmsArticle => {
  const name = ENCODE[languages.name]
  const { image, seoTitle, fields } = article
  return {
    ...article,
    title: ENCODE[languages.title](article.title),
    metaDescription: ENCODE[languages.metaDescription](article.metaDescription),
    tags: article.tags.map(name),
    category: name(article.category),
    author: name(article.author),
    ...(seoTitle === undefined ? {} : { seoTitle: ENCODE[languages.seoTitle](seoTitle) }),
    ...(image ? { image: { ...image, alt: ENCODE[languages.imageAlt](image.alt) } } : {}),
    ...(fields ? { fields: encodeFields(ENCODE[languages.field], fields) } : {}),
  }
}

const encodeFields = (encode: (text: string) => string, fields: OwnFields): OwnFields => {
  const encoded = <T>(value: T) => (typeof value === 'string' ? encode(value) : value)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(encoded) : (encoded(value) as FieldValue),
    ]),
  )
}

const decodeWords = (languages: Languages, words: CmsWords): CmsWords => {
  const { title, metaDescription, seoTitle, tags, categories } = words
  const name = DECODE[languages.name]
  return {
    ...words,
    ...(title === undefined ? {} : { title: DECODE[languages.title](title) }),
    ...(metaDescription === undefined ? {} : { metaDescription: DECODE[languages.metaDescription](metaDescription) }),
    ...(seoTitle === undefined ? {} : { seoTitle: DECODE[languages.seoTitle](seoTitle) }),
    ...(tags ? { tags: tags.map(name) } : {}),
    ...(categories ? { categories: categories.map(name) } : {}),
  }
}

const decodeVersion = (languages: Languages, version: CmsVersion): CmsVersion =>
  version.words ? { ...version, words: decodeWords(languages, version.words) } : version

const decodePost = <T extends CmsPost | CmsFound>(languages: Languages, post: T): T => ({
  ...post,
  title: DECODE[languages.title](post.title),
  ...('version' in post && post.version ? { version: decodeVersion(languages, post.version) } : {}),
})

const decodeListed = <T extends SitePost>(languages: Languages, post: T): T => ({
  ...post,
  title: DECODE[languages.title](post.title),
  author: post.author === null ? null : DECODE[languages.name](post.author),
})

const decodeStored = (languages: Languages, post: StoredPost): StoredPost => {
  const { excerpt, metaDescription, seoTitle, tags, categories, image } = post
  const name = DECODE[languages.name]
  return {
    ...decodeListed(languages, post),
    excerpt: DECODE[languages.metaDescription](excerpt),
    metaDescription: DECODE[languages.metaDescription](metaDescription),
    seoTitle: DECODE[languages.seoTitle](seoTitle),
    tags: tags.map(name),
    categories: categories.map(name),
    image: image && { ...image, alt: DECODE[languages.imageAlt](image.alt) },
  }
}

const mapValue = <T>(result: CmsResult<T | null>, change: (value: T) => T): CmsResult<T | null> =>
  result.kind === 'done' && result.value !== null ? { ...result, value: change(result.value) } : result

/**
 * Returns a CMS whose callers give and get plain text. The adapter in it sends and reads its fields in their languages.
 *
 * So no text of an article is markup at any CMS, and texts that come back compare with the sent ones.
 */
export const inLanguages = (languages: Languages, cms: Cms): Cms => {
  const { read, hasUpdate, pull, unpublish, hostImage, listPosts, readPost } = cms
  const given = (article: CmsArticle) => encodeArticle(languages, article)
  const post = (one: CmsPost) => decodePost(languages, one)
  return {
    ...cms,
    find: async (query) =>
      mapValue(await cms.find({ ...query, title: ENCODE[languages.title](query.title) }), (one) =>
        decodePost(languages, one),
      ),
    create: async (article) => {
      const made = await cms.create(given(article))
      return made.kind === 'done' ? { ...made, value: post(made.value) } : made
    },
    update: async (remoteId, article, ...rest) => mapValue(await cms.update(remoteId, given(article), ...rest), post),
    ...(unpublish
      ? { unpublish: async (remoteId, article) => mapValue(await unpublish(remoteId, given(article)), post) }
      : {}),
    ...(read
      ? { read: async (remoteId) => mapValue(await read(remoteId), (version) => decodeVersion(languages, version)) }
      : {}),
    ...(pull ? { pull: (article, update) => pull(given(article), update) } : {}),
    ...(hasUpdate ? { hasUpdate: (remoteId, article, update) => hasUpdate(remoteId, given(article), update) } : {}),
    ...(listPosts
      ? {
          listPosts: async (cursor) => {
            const page = await listPosts(cursor)
            if (page.kind !== 'done') return page
            const posts = page.value.posts.map((one) => decodeListed(languages, one))
            return { ...page, value: { ...page.value, posts } }
          },
        }
      : {}),
    ...(readPost
      ? { readPost: async (ref) => mapValue(await readPost(ref), (one) => decodeStored(languages, one)) }
      : {}),
    ...(hostImage ? { hostImage: (image) => hostImage({ ...image, alt: ENCODE[languages.imageAlt](image.alt) }) } : {}),
  }
}
