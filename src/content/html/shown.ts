import { type HtmlEvent, readEvents } from './events.ts'
import { effectsOf } from './hidden.ts'
import { decodeReferences } from './references.ts'
import { applyEdits, attributesOf, type Edit } from './tags.ts'
import type { TagToken } from './tokens.ts'

const PICTURES = new Set(['img', 'iframe', 'video', 'picture', 'table'])
/** Elements that show without words. */
const SEEN = new Set(['img', 'iframe', 'video', 'audio', 'hr'])
/** Elements whose styles scripts change when a page loads. */
const ROOTS = new Set(['html', 'body'])

/** Open element: the properties that hide it, and whether something in it shows. */
type Open = {
  name: string
  start: number
  inner: number
  /** Number of edits before the element. */
  edits: number
  /** True if it is hidden with everything in it. */
  isHidden: boolean
  /** Properties that hide its words, or everything. An element in it may set them again. */
  words: readonly string[]
  all: readonly string[]
  shows: boolean
}

/** Part that is left out, and its name. */
type Hidden = Edit & { what: string }
type Looking = { html: string; edits: Hidden[]; open: Open[] }

const OUTSIDE: Open = { name: '', start: 0, inner: 0, edits: 0, isHidden: false, words: [], all: [], shows: true }

const stateIn = ({ html, edits }: Looking, tag: TagToken, parent: Open): Open => {
  const source = html.slice(tag.nameEnd, tag.end)
  const mayHide = !ROOTS.has(tag.name) && /hidden|style|popover/i.test(source)
  const effects = mayHide && !parent.isHidden ? effectsOf(tag.name, attributesOf(html, tag)) : []
  const undone = new Set(effects.flatMap((effect) => (effect.kind === 'shown' ? [effect.undoes] : [])))
  const hiding = (kind: 'words' | 'all') => [
    ...parent[kind].filter((why) => !undone.has(why)),
    ...effects.flatMap((effect) => (effect.kind === kind ? [effect.why] : [])),
  ]
  return {
    name: tag.name,
    start: tag.start,
    inner: tag.end,
    edits: edits.length,
    isHidden: parent.isHidden || effects.some(({ kind }) => kind === 'element'),
    words: [...new Set(hiding('words'))],
    all: [...new Set(hiding('all'))],
    shows: false,
  }
}

const hidesAll = ({ isHidden, all }: Open): boolean => isHidden || all.length > 0

const hidesWords = (state: Open): boolean => hidesAll(state) || state.words.length > 0

const nameOf = (state: Open): string => `<${state.name}> (hidden)`

const openOne = (looking: Looking, { tag, isLeaf }: HtmlEvent & { kind: 'open' }): void => {
  const parent = looking.open.at(-1) ?? OUTSIDE
  const state = stateIn(looking, tag, parent)
  if (!isLeaf) looking.open.push(state)
  else if (hidesAll(state)) {
    if (parent.isHidden) return
    looking.edits.push({ start: tag.start, end: tag.end, text: '', what: nameOf(state) })
  } else if (SEEN.has(tag.name)) parent.shows = true
}

/** True for a cell that has its place in its table, although its content does not show. */
const keepsPlace = ({ name, isHidden }: Open): boolean => (name === 'td' || name === 'th') && !isHidden

const closeOne = (looking: Looking, event: HtmlEvent & { kind: 'close' }): void => {
  const state = looking.open.pop()
  if (!state) return
  const parent = looking.open.at(-1) ?? OUTSIDE
  const isShown = !hidesWords(state) || state.shows || (SEEN.has(state.name) && !hidesAll(state))
  if (isShown) {
    if (state.shows || SEEN.has(state.name)) parent.shows = true
    return
  }
  if (parent.isHidden) return
  const isKept = keepsPlace(state)
  const [start, end] = isKept ? [state.inner, event.at] : [state.start, event.end]
  if (isKept) parent.shows = true
  if (start === end) return
  looking.edits.length = state.edits
  looking.edits.push({ start, end, text: '', what: nameOf(state) })
}

const readText = (looking: Looking, event: HtmlEvent & { kind: 'text' }): void => {
  const parent = looking.open.at(-1)
  if (!parent || !/\S/.test(looking.html.slice(event.start, event.end))) return
  if (!hidesWords(parent)) parent.shows = true
  else if (!parent.isHidden) looking.edits.push({ start: event.start, end: event.end, text: '', what: nameOf(parent) })
}

/**
 * Returns HTML without what does not show by its attributes or styles. `hidden` names what was left out.
 *
 * Everything that sends, counts, describes or checks a text uses this one meaning of "shown".
 */
export const leaveOutHidden = (html: string): { html: string; hidden: string[] } => {
  if (!/hidden|style|popover/i.test(html)) return { html, hidden: [] }
  const looking: Looking = { html, edits: [], open: [] }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') openOne(looking, event)
    else if (event.kind === 'close') closeOne(looking, event)
    else if (event.kind === 'text' && event.mode === 'text') readText(looking, event)
  }
  return { html: applyEdits(html, looking.edits), hidden: [...new Set(looking.edits.map(({ what }) => what))] }
}

/** Returns HTML as its readers see it. */
export const withoutHidden = (html: string): string => leaveOutHidden(html).html

const texts = (given: string): string[] => {
  const html = withoutHidden(given)
  const found: string[] = []
  for (const event of readEvents(html))
    if (event.kind === 'text' && event.mode === 'text') found.push(decodeReferences(html.slice(event.start, event.end)))
  return found
}

/** True if HTML has visible text other than whitespace. */
export const showsText = (html: string): boolean => texts(html).some((text) => /\S/.test(text))

/** True if HTML shows text, a picture, a video or a table. */
export const showsContent = (given: string): boolean => {
  const html = withoutHidden(given)
  for (const event of readEvents(html)) if (event.kind === 'open' && PICTURES.has(event.tag.name)) return true
  return showsText(html)
}

/** Returns the words of HTML's text. Tags separate words. */
export const shownWords = (html: string): string[] =>
  texts(html)
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')

/** Shortest useful run of text. A shorter one may be on any page. */
const MIN_LENGTH = 20
const MAX_LENGTH = 120

const spaced = (text: string): string => decodeReferences(text).replace(/\s+/g, ' ').trim()

/** Returns the longest run of text in HTML, to recognize a page that shows it; undefined if all runs are short. */
export const distinctiveRun = (html: string): string | undefined =>
  html
    .split(/<[^<>]*>/)
    .map(spaced)
    .filter((run) => run.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)[0]
    ?.slice(0, MAX_LENGTH)

/** Returns the text of a page in the form that `distinctiveRun` uses. */
export const runText = (page: string): string => spaced(page.replace(/<[^<>]*>/g, ''))
