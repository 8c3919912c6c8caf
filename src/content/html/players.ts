import { readEvents } from './events.ts'
import { collapse, decodeReferences, escapeAttribute } from './references.ts'
import { applyEdits, attributesOf, type Edit } from './tags.ts'

/** Hosts of video players that articles may embed, without `www.`, with their site. */
const SITES: ReadonlyMap<string, 'youtube' | 'vimeo'> = new Map([
  ['youtube.com', 'youtube'],
  ['m.youtube.com', 'youtube'],
  ['youtube-nocookie.com', 'youtube'],
  ['player.vimeo.com', 'vimeo'],
])

/** Returns the site whose player a host serves, regardless of case; undefined for any other host. */
export const playerSite = (host: string): 'youtube' | 'vimeo' | undefined =>
  SITES.get(host.toLowerCase().replace(/^www\./, ''))

/** YouTube video by its id. `startS` is the second at which it starts. */
export type PlayedVideo = { id: string; title: string; startS?: number | undefined }

const ID = /^[A-Za-z0-9_-]{11}$/
const PATHS = new Set(['shorts', 'live', 'embed', 'v'])
/** Inline elements that a paragraph with only a video link may have. */
const MARKS = new Set(['b', 'strong', 'i', 'em', 'u', 'span', 'small', 'br', 'wbr'])

/** True if the text has the form of a YouTube video id. */
export const isVideoId = (text: string): boolean => ID.test(text)

/** Returns the HTML of a video's player. The player sets no cookies before the video starts. */
export const playerOf = ({ id, title, startS }: PlayedVideo): string =>
  `<figure><iframe src="https://www.youtube-nocookie.com/embed/${id}${startS === undefined ? '' : `?start=${startS}`}" title="${escapeAttribute(title)}" width="560" height="315" loading="lazy" allowfullscreen></iframe></figure>`

/** Start of a video: seconds (`43`, `43s`), or with hours and minutes (`1h2m3s`). */
const START = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})s?)?$/

/** Returns the second at which an address starts a video; undefined if it names none. */
const startOf = (url: URL): number | undefined => {
  const named = url.searchParams.get('t') ?? url.searchParams.get('start')
  const [given, hours = 0, minutes = 0, seconds = 0] =
    START.exec(named ?? new URLSearchParams(url.hash.slice(1)).get('t') ?? '') ?? []
  return given ? 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds) : undefined
}

const urlOf = (address: string): URL | null => URL.parse(address.startsWith('//') ? `https:${address}` : address)

/** Returns the YouTube video of an address, with or without its scheme; undefined for any other address. */
const videoAt = (address: string): { id: string; startS: number | undefined } | undefined => {
  const url = urlOf(address)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  const isShort = /^(?:www\.)?youtu\.be$/.test(url.hostname)
  const [, first = '', second = ''] = url.pathname.split('/')
  const ofSite = first === 'watch' ? (url.searchParams.get('v') ?? '') : PATHS.has(first) ? second : ''
  const id = isShort ? first : playerSite(url.hostname.replace(/^music\./, '')) === 'youtube' ? ofSite : ''
  return isVideoId(id) ? { id, startS: startOf(url) } : undefined
}

/** Returns the address of the player that shows the video of a page, which browsers show in no frame; undefined for other addresses. */
export const playerOfPage = (address: string): string | undefined => {
  const url = urlOf(address)
  if (!url || url.pathname.startsWith('/embed/')) return undefined
  const video = videoAt(address)
  if (video)
    return `https://www.youtube.com/embed/${video.id}${video.startS === undefined ? '' : `?start=${video.startS}`}`
  const [, id, key] = /^https?:\/\/(?:www\.)?vimeo\.com\/(\d+)(?:\/([\da-f]+))?$/.exec(url.origin + url.pathname) ?? []
  return id === undefined ? undefined : `https://player.vimeo.com/video/${id}${key === undefined ? '' : `?h=${key}`}`
}

type Paragraph = {
  start: number
  /** Text of the link, and all text of the paragraph. */
  linked: string
  text: string
  href: string | undefined
  links: number
  isPlain: boolean
}

/** Returns the video of a paragraph that has only one link to it, or only its address as text. */
const videoOf = ({ linked, text, href, links, isPlain }: Paragraph): PlayedVideo | undefined => {
  const words = collapse(text)
  if (!isPlain || links > 1 || (links === 1 && collapse(linked) !== words)) return undefined
  const video = videoAt(links === 1 ? (href ?? '').trim() : words)
  if (!video) return undefined
  return { ...video, title: words === '' || videoAt(words) ? 'YouTube video' : words }
}

/** Replaces each paragraph that has only a link to a YouTube video with its player. */
export const withPlayers = (html: string): string => {
  if (!/youtu/i.test(html)) return html
  const edits: Edit[] = []
  let paragraph: Paragraph | undefined
  let isLinked = false
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && event.tag.name === 'p') {
      paragraph = { start: event.tag.start, linked: '', text: '', href: undefined, links: 0, isPlain: true }
      isLinked = false
    } else if (!paragraph) continue
    else if (event.kind === 'open' && event.tag.name === 'a') {
      paragraph.links += 1
      paragraph.href = attributesOf(html, event.tag).get('href')
      isLinked = true
    } else if (event.kind === 'open') paragraph.isPlain &&= MARKS.has(event.tag.name)
    else if (event.kind === 'text') {
      const words = decodeReferences(html.slice(event.start, event.end))
      paragraph.text += words
      if (isLinked) paragraph.linked += words
    } else if (event.kind === 'close' && event.name === 'a') isLinked = false
    else if (event.kind === 'close' && event.name === 'p') {
      const video = videoOf(paragraph)
      if (video) edits.push({ start: paragraph.start, end: event.end, text: playerOf(video) })
      paragraph = undefined
    }
  }
  return applyEdits(html, edits)
}
