import { charsetOf, joined } from '../../platform/lib/bytes.ts'
import { decodeAttribute } from '../html/references.ts'
import { type Alternate, languageIn, type PageLanguage } from './alternates.ts'

/** Limits of the sitemap protocol: addresses in a file, and bytes after decompression. */
const MAX_LOCATIONS = 50_000
const MAX_BYTES = 50 * 1024 * 1024

const MAX_LOCATION = 2_000
const MAX_TAG = 16_384
/** Most alternates of a page that are read. */
const MAX_ALTERNATES = 200

/**
 * Addresses in a sitemap: pages, and further sitemaps if it is an index. `languages` has the pages with alternates.
 *
 * `cut` is true if it is damaged or a limit was reached. `isHtml` is true if it is a web page.
 */
export type Sitemap = {
  pages: string[]
  sitemaps: string[]
  languages: Map<string, PageLanguage>
  cut: boolean
  isHtml: boolean
}

/** Element for one page. `known` is the number of addresses before it, `id` its permanent link in RSS. */
type Entry = {
  name: 'url' | 'sitemap' | 'item' | 'entry'
  prefix: string
  known: number
  id: string
  isQuoting: boolean
  alternates: Alternate[]
}
type Reading = Sitemap & {
  limit: number
  projectLanguage: string
  entry: Entry | undefined
  location: string | undefined
}

const countOf = ({ pages, sitemaps }: Sitemap): number => pages.length + sitemaps.length

const isFull = (reading: Reading): boolean => countOf(reading) >= reading.limit

const keep = (reading: Reading): void => {
  const location = decodeAttribute(reading.location ?? '').trim()
  reading.location = undefined
  if (location === '' || location.length > MAX_LOCATION || !reading.entry) return
  if (reading.entry.name === 'sitemap') reading.sitemaps.push(location)
  else reading.pages.push(location)
}

/** Elements for a page in a sitemap, an index, RSS and Atom, with the child element that has its address. */
const ENTRIES: Readonly<Record<string, string>> = { url: 'loc', sitemap: 'loc', item: 'link', entry: 'link' }

const isEntry = (name: string): name is Entry['name'] => Object.hasOwn(ENTRIES, name)

const attributeIn = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)

/** Reads the address of an Atom entry from the attribute of its link. */
const readAtomLink = (reading: Reading, tag: string): void => {
  const rel = attributeIn(tag, 'rel') ?? 'alternate'
  if (rel.toLowerCase() !== 'alternate') return
  reading.location = attributeIn(tag, 'href') ?? ''
  keep(reading)
}

/** Reads the id of an RSS item. It is the page's address unless `isPermaLink` is false. */
const readGuid = (reading: Reading, entry: Entry, tag: string, closing: boolean): void => {
  if (!closing) reading.location = attributeIn(tag, 'isPermaLink')?.toLowerCase() === 'false' ? undefined : ''
  else if (reading.location !== undefined) {
    entry.id = /^\s*https?:/i.test(reading.location) ? reading.location : ''
    reading.location = undefined
  }
}

/** Reads an alternate of a page in another language. */
const readAlternate = ({ alternates }: Entry, tag: string): void => {
  const [lang, href] = [attributeIn(tag, 'hreflang'), attributeIn(tag, 'href')]
  if (lang && href && href.length <= MAX_LOCATION && alternates.length < MAX_ALTERNATES)
    alternates.push({ lang, href: decodeAttribute(href).trim() })
}

/** Ends an entry: its page gets the language that its alternates show, or its address from the id. */
const endEntry = (reading: Reading, { id, known, alternates }: Entry): void => {
  if (id && countOf(reading) === known) {
    reading.location = id
    keep(reading)
  }
  const page = countOf(reading) > known ? reading.pages.at(-1) : undefined
  if (page !== undefined && alternates.length > 0)
    reading.languages.set(page, languageIn(page, alternates, reading.projectLanguage))
}

/**
 * Reads one tag. An address counts only with the entry's own namespace prefix, because images and videos have addresses too.
 */
const readTag = (reading: Reading, tag: string): void => {
  const match = /^<(\/?)(?:([\w.-]+):)?([\w.-]+)/.exec(tag)
  const [, slash = '', prefix = '', name = ''] = match?.map((part) => part?.toLowerCase()) ?? []
  const closing = slash === '/'
  const { entry } = reading
  if (name === 'html' && !entry) reading.isHtml = true
  if (isEntry(name)) {
    if (entry) endEntry(reading, entry)
    reading.entry = closing
      ? undefined
      : { name, prefix, known: countOf(reading), id: '', isQuoting: false, alternates: [] }
  } else if (entry?.name === 'entry' && name === 'source') entry.isQuoting = !closing && !tag.endsWith('/')
  else if (entry?.name === 'url' && name === 'link') readAlternate(entry, tag)
  else if (entry?.name === 'item' && name === 'guid' && prefix === '') readGuid(reading, entry, tag, closing)
  else if (entry?.prefix === prefix && name === ENTRIES[entry.name]) {
    if (entry.name === 'entry') {
      if (!closing && !entry.isQuoting) readAtomLink(reading, tag)
    } else if (!closing) reading.location = ''
    else if (reading.location !== undefined) keep(reading)
  }
}

const readText = (reading: Reading, text: string): void => {
  if (reading.location !== undefined && reading.location.length <= MAX_LOCATION) reading.location += text
}

const MARKS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const

/** Returns the end of the markup at `at`, and its text; undefined if more input is needed. */
const markupAt = (
  buffer: string,
  at: number,
): { end: number; text: string; kind: 'tag' | 'data' | 'other' } | undefined => {
  for (const [n, [start, stop]] of MARKS.entries()) {
    if (!buffer.startsWith(start, at)) {
      // The buffer ends within the start of the markup. Wait for the next piece.
      if (start.startsWith(buffer.slice(at, at + start.length)) && buffer.length - at < start.length) return undefined
      continue
    }
    const found = buffer.indexOf(stop, at + start.length)
    if (found < 0) return undefined
    const text = n === 1 ? buffer.slice(at + start.length, found).replaceAll('&', '&amp;') : ''
    return { end: found + stop.length, text, kind: n === 1 ? 'data' : 'other' }
  }
  const found = buffer.indexOf('>', at)
  return found < 0 ? undefined : { end: found + 1, text: buffer.slice(at, found), kind: 'tag' }
}

/** Reads the complete part of the buffer. Returns the rest, to be joined with the next piece. */
const readXml = (reading: Reading, buffer: string): string => {
  let at = 0
  while (!isFull(reading)) {
    const open = buffer.indexOf('<', at)
    readText(reading, buffer.slice(at, open < 0 ? undefined : open))
    if (open < 0) return ''
    const markup = markupAt(buffer, open)
    if (!markup) return buffer.slice(open)
    if (markup.kind === 'tag') readTag(reading, markup.text)
    else readText(reading, markup.text)
    at = markup.end
  }
  return ''
}

/** Reads a plain text sitemap: one address per line. */
const readLines = (reading: Reading, buffer: string, isLast: boolean): string => {
  const lines = buffer.split(/\r\n|\r|\n/)
  const rest = isLast ? '' : (lines.pop() ?? '')
  for (const line of lines) {
    const location = line.trim()
    if (!isFull(reading) && /^https?:\/\//i.test(location) && location.length <= MAX_LOCATION)
      reading.pages.push(location)
  }
  return rest
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> => {
  const plain = new Response(bytes).body as ReadableStream<Uint8Array>
  if (!isGzip(bytes)) return plain
  return plain.pipeThrough(new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>)
}

/** Bytes needed to detect the character set of a file. */
const START_BYTES = 256

/** Returns a decoder for the pieces of a file. It uses the character set of its start or header, or else UTF-8. */
const decoderFor = (contentType: string) => {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let start: Uint8Array = new Uint8Array(0)
  return (piece: Uint8Array | undefined): string => {
    let bytes = piece
    if (!decoder) {
      start = piece ? joined(start, piece) : start
      if (piece && start.length < START_BYTES) return ''
      decoder = new TextDecoder(charsetOf(start, contentType) ?? 'utf-8')
      bytes = start
    }
    return decoder.decode(bytes, { stream: piece !== undefined })
  }
}

/** Reads a sitemap from pieces of its decompressed bytes. Keeps the addresses before a damaged part. */
export const readPieces = async (
  pieces: ReadableStream<Uint8Array>,
  limit: number,
  contentType = '',
  projectLanguage = '',
): Promise<Sitemap> => {
  const reading: Reading = {
    pages: [],
    sitemaps: [],
    languages: new Map(),
    projectLanguage,
    cut: false,
    isHtml: false,
    limit,
    entry: undefined,
    location: undefined,
  }
  const reader = pieces.getReader()
  const decode = decoderFor(contentType)
  let buffer = ''
  let size = 0
  let isXml: boolean | undefined
  try {
    while (!reading.cut) {
      const { done, value } = await reader.read()
      size += value?.byteLength ?? 0
      buffer += decode(done ? undefined : value)
      if (isXml === undefined) {
        buffer = buffer.trimStart()
        if (buffer !== '') isXml = buffer.startsWith('<')
      }
      if (isXml !== undefined) buffer = isXml ? readXml(reading, buffer) : readLines(reading, buffer, done)
      if (done) break
      reading.cut = isFull(reading) || size > MAX_BYTES || buffer.length > MAX_TAG
    }
    await reader.cancel()
  } catch {
    reading.cut = true
  }
  const { pages, sitemaps, languages, cut, isHtml } = reading
  return { pages, sitemaps, languages, cut, isHtml }
}

/**
 * Reads a sitemap file (sitemaps.org): urlset, sitemapindex, RSS, Atom or plain text, with or without gzip. Never throws.
 *
 * Reads it piece by piece to save memory: at most `limit` addresses, and 50 MiB after decompression.
 */
export const readSitemap = (
  bytes: Uint8Array<ArrayBuffer>,
  limit: number = MAX_LOCATIONS,
  contentType = '',
  projectLanguage = '',
): Promise<Sitemap> => readPieces(streamOf(bytes), limit, contentType, projectLanguage)
