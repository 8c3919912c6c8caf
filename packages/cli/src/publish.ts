import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Galley, Ops } from '../../client/src/index.ts'
import { FRONT_MATTER, LIVE_FIELDS } from './article-fields.generated.ts'
import { ID_FIELD, isUnlike, ownTitle, pathInRepository, saveId } from './identity.ts'
import { paint, say } from './output.ts'
import { UsageError, unread } from './usage-error.ts'

type Value = string | string[]

const unquoted = (text: string): string => {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/s.exec(text) ?? []
  if (quote === undefined) return text.replace(/\s+#.*$/, '')
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}

const listOf = (text: string): string[] =>
  (text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s"'][^,]*/g) ?? [])
    .map((one) => unquoted(one.trim()))
    .filter((one) => one !== '')

/**
 * Returns the front matter of a Markdown file and the text below it. Throws UsageError with the line.
 *
 * It reads `name: text`, `name: [a, b]`, and lists of `- a` lines. An article has no deeper fields.
 */
export const readFrontMatter = (text: string): { fields: Record<string, Value>; content: string; head: string } => {
  const [head, block] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text) ?? []
  if (head === undefined || block === undefined || !text.startsWith(head))
    return { fields: {}, content: text, head: '' }
  const fields: Record<string, Value> = {}
  let open = ''
  for (const [n, line] of block.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? []
    const before = fields[open]
    if (item !== undefined && open !== '' && (before === '' || Array.isArray(before))) {
      fields[open] = [...(before || []), unquoted(item.trim())]
      continue
    }
    const [, name, value = ''] = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? []
    if (name === undefined || /^[|>{&*]/.test(value))
      throw new UsageError(`Line ${n + 2} of the front matter cannot be read: ${line}`)
    open = name.replaceAll('-', '_')
    const trimmed = value.trim()
    fields[open] = /^\[.*\]$/.test(trimmed) ? listOf(trimmed) : unquoted(trimmed)
  }
  return { fields, content: text.slice(head.length), head }
}

/**
 * Pattern of code, in which nothing is an image, and of images: `![alt](path "title")`, `![alt](<a path>)` and `<img
 * src="path">`.
 */
const PARTS = new RegExp(
  [
    /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|$(?![\s\S]))/,
    /`[^`\n]+`/,
    /(?<mark>!\[[^\]]*\]\(\s*)(?:<(?<angled>[^<>\n]+)>|(?<bare>(?:[^\s<>()]|\([^\s<>()]*\))+))/,
    /(?<tag><img\b[^>]*?\bsrc=)(?<quote>["'])(?<src>[^"'>]+)\k<quote>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
)

type Part = Partial<Record<'mark' | 'angled' | 'bare' | 'tag' | 'quote' | 'src', string>>

const pathIn = ({ angled, bare, src }: Part = {}): string | undefined => angled ?? bare ?? src

/** True if the address of an image is a path to a file. */
const isLocal = (address: string): boolean => !/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(address)

/** Returns the paths of the images in a Markdown text that are files. */
export const localImages = (text: string): string[] =>
  [...text.matchAll(PARTS)].flatMap(({ groups }) => pathIn(groups) ?? []).filter(isLocal)

/** Returns a Markdown text with addresses instead of the paths of its images. */
export const withAddresses = (text: string, addresses: ReadonlyMap<string, string>): string =>
  text.replace(PARTS, (whole: string, ...found: unknown[]) => {
    const part = found.at(-1) as Part
    const address = addresses.get(pathIn(part) ?? '')
    if (address === undefined) return whole
    return part.mark === undefined ? `${part.tag}${part.quote}${address}${part.quote}` : `${part.mark}${address}`
  })

type NewArticle = Ops['articlesCreate']['args']['body']
type Saved = Extract<Ops['articlesCreate']['result'], { seo: unknown }>
type Report = NonNullable<Saved['seo']>

/** Fields that front matter may set. */
const FIELDS: readonly string[] = [...FRONT_MATTER, 'project_id']

/** Names of other sites for the same fields. */
const ALIASES: Readonly<Record<string, string>> = {
  description: 'meta_description',
  image: 'feature_image',
  draft: '',
  [ID_FIELD]: '',
}

const read = (path: string, more = ''): Buffer => {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new UsageError(`${unread(path, cause)}${more}`, { cause })
  }
}

/** Returns a path without its percent-encoding, or unchanged if that is not valid: `50%.png`. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const IS_IMAGE = ' It is an image of the article. Write a path with blanks as <my picture.png>.'

/** Uploads the images that are files beside the article, each once. Returns the text and the fields with their addresses. */
const withImages = async (galley: Galley, folder: string, text: string, feature: string | undefined) => {
  const addresses = new Map<string, string>()
  const found = [...localImages(text), ...(feature && isLocal(feature) ? [feature] : [])]
  for (const path of new Set(found)) {
    const image_base64 = read(resolve(folder, decoded(path)), IS_IMAGE).toString('base64')
    const { url } = await galley.imagesCreate({ body: { image_base64 } }).catch((error: unknown) => {
      say(`${path} was not uploaded.`)
      throw error
    })
    say(`Uploaded ${path} → ${url}`)
    addresses.set(path, url)
  }
  return {
    text: withAddresses(text, addresses),
    feature: feature && (addresses.get(feature) ?? feature),
  }
}

const COLOURS = { error: 'red', warning: 'yellow', notice: 'dim' } as const
const GOOD = 80
const FAIR = 50

/** Writes the SEO report to stderr, the most important faults first. */
const sayReport = ({ score, passed, failed }: Report): void => {
  const colour = score >= GOOD ? 'green' : score >= FAIR ? 'yellow' : 'red'
  const checks = passed.length + failed.length
  say(`${paint(process.stderr, colour, `SEO ${score} of 100`)}, ${passed.length} of ${checks} checks passed`)
  const order = Object.keys(COLOURS)
  const sorted = [...failed].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  for (const { severity, message, fix } of sorted)
    say(
      `  ${paint(process.stderr, COLOURS[severity], severity.padEnd(7))} ${message}${fix ? ` ${paint(process.stderr, 'dim', fix)}` : ''}`,
    )
}

/** Options of `galley publish`. Project and keyword win over the front matter. */
export type PublishOptions = Partial<
  Record<'project_id' | 'keyword' | 'draft' | 'update' | 'anyway', string | undefined>
>

type Reported = { seo: Report | null }
type Known = Extract<Ops['articlesCreate']['result'], { already_existed: true }>

/** Throws UsageError if the text of a known article is another one than that of the file. */
const checkSame = ({ article, differs }: Known, body: NewArticle, update: boolean): void => {
  if (update || !differs.includes('content') || !isUnlike(article.Content, body.content ?? '')) return
  throw new UsageError(
    `Article ${article.ID} has the id ${body.external_ref}, but another text: “${article.Title}”. The file is “${body.title ?? body.keyword}”. Nothing was changed. To replace the text, use --update. For a new article, set another ${ID_FIELD} in the front matter.`,
  )
}

/** Saves what differs between a file and its article; sends it to the site if the article is published. */
const change = async (galley: Galley, known: Known, body: NewArticle): Promise<Reported | undefined> => {
  const { article, differs } = known
  const isLive = article.Status === 'Published'
  const names = differs.filter((name) => !isLive || LIVE_FIELDS.includes(name))
  const left = differs.filter((name) => !names.includes(name))
  if (left.length > 0) say(`The article is published, so these fields stay as they are: ${left.join(', ')}`)
  if (names.length === 0) return undefined
  const format = names.includes('content') ? { content_format: body.content_format } : {}
  const changes = { ...Object.fromEntries(names.map((name) => [name, body[name as keyof NewArticle]])), ...format }
  const call = { path: { id: article.ID }, body: changes }
  const saved = isLive ? await galley.articlesSync(call) : await galley.articlesUpdate(call)
  say(`${isLive ? 'Sent' : 'Saved'} ${names.join(', ')} of article ${article.ID}`)
  return saved as Reported
}

/** Throws UsageError if another article of the project has nearly the same text. */
const checkAlone = (id: number, report: Report | null | undefined): void => {
  const twin = report?.failed.find(({ check }) => check === 'duplicate_content')
  if (!twin) return
  throw new UsageError(`${twin.message} Article ${id} was saved but not published. To publish it, use --anyway.`)
}

/**
 * Saves a Markdown file as an article and publishes it, unless it is planned for a date or should stay a draft.
 *
 * The article is known by the file's id, so that an edited file changes its article instead of making a second one.
 */
export const publishFile = async (galley: Galley, path: string, options: PublishOptions): Promise<unknown> => {
  const file = read(path).toString('utf8')
  const { fields, content, head } = readFrontMatter(file)
  const given = Object.entries(fields).map(([name, value]) => [ALIASES[name] ?? name, value] as const)
  const unknown = given.filter(([name]) => name !== '' && !FIELDS.includes(name)).map(([name]) => name)
  if (unknown.length > 0) say(`Unknown fields, left out: ${unknown.join(', ')}`)
  const article = Object.fromEntries(given.filter(([name, value]) => FIELDS.includes(name) && value !== ''))
  const project = Number(options.project_id ?? article.project_id ?? Number.NaN)
  if (!Number.isInteger(project))
    throw new UsageError(
      'Give the ID of the project: --project-id 7, or project_id in the front matter. galley projects list shows all projects.',
    )
  const { title, text } = ownTitle(content, typeof article.title === 'string' ? article.title : undefined)
  const keyword = options.keyword ?? article.keyword ?? title
  if (typeof keyword !== 'string')
    throw new UsageError('Give the keyword: --keyword, or keyword or title in the front matter.')
  const feature = typeof article.feature_image === 'string' ? article.feature_image : undefined
  const pictures = await withImages(galley, dirname(path), text, feature)
  const ownId = fields[ID_FIELD]
  const ref = typeof ownId === 'string' && ownId !== '' ? ownId : pathInRepository(path)
  const body = {
    ...article,
    ...(title === undefined ? {} : { title }),
    ...(pictures.feature ? { feature_image: pictures.feature } : {}),
    project_id: project,
    keyword,
    content: pictures.text,
    content_format: 'markdown',
    external_ref: ref,
  } as NewArticle
  const made = await galley.articlesCreate({ body })
  const id = made.article_id
  if (ownId === undefined) saveId(path, file, head, ref)
  const isDraft = options.draft === 'true' || fields.draft === 'true'
  let report: Report | null | undefined
  if ('already_existed' in made) {
    checkSame(made, body, options.update === 'true')
    const isLive = made.status === 'Published'
    const saved = isLive && isDraft ? undefined : await change(galley, made, body)
    report = saved?.seo ?? made.article.Seo
    if (isLive && saved) {
      if (report) sayReport(report)
      return saved
    }
  } else {
    say(`Saved article ${id}, ${made.status}`)
    report = made.seo
  }
  if (report) sayReport(report)
  const status = ('already_existed' in made && body.status) || made.status
  if (isDraft || status === 'Planned') return made
  if (made.status !== 'Published' && options.anyway !== 'true') checkAlone(id, report)
  return await galley.articlesPublish({ path: { id } })
}
