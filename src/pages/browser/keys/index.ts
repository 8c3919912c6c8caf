import { el, openDialog, openPalette } from './palette.ts'
import { startSignOut } from './sign-out.ts'

// Keyboard shortcuts for signed-in people. They use elements that the server rendered: menu links (`data-go`), list
// rows, marked changes, and links, buttons and fields with a key of their own (`data-key`).

/** Effect of a key on this page: its description, and the function to run. */
type Action = [does: string, run: () => void]

const LEAD_MS = 1_500

const every = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility())

const linkIn = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('a[href]')

const rows = () => every('main :is(tbody tr, .rows > li)').filter(linkIn)

const rowNow = () => document.activeElement?.closest('main :is(tbody tr, .rows > li)')

const tickIn = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('input[type=checkbox]')

/** Returns the changes of a comparison in reading order: from top to bottom, then from left to right. */
const changes = () => {
  const place = (one: Element) => one.getBoundingClientRect()
  return every('main :is(ins, del)').sort((a, b) => place(a).top - place(b).top || place(a).left - place(b).left)
}

/** Focuses the element before or after the current one in a list. */
const step = (all: readonly Element[], now: Element | null | undefined, by: number, focusIn = linkIn) => {
  const at = now ? all.indexOf(now) : -1
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by]
  const target = focusIn(next)
  target?.scrollIntoView({ block: 'nearest' })
  target?.focus()
}

const focusChange = (one: Element | null | undefined) => {
  one?.setAttribute('tabindex', '-1')
  return one as HTMLElement | undefined
}

const nameOf = (one: HTMLElement): string => {
  const label = one instanceof HTMLTextAreaElement || one instanceof HTMLInputElement ? one.labels?.[0] : undefined
  return (one.getAttribute('aria-label') ?? label?.firstChild?.textContent ?? one.textContent ?? '').trim()
}

/** Returns the text of a menu link, without its count. */
const wordIn = (link: HTMLElement): string =>
  [...link.childNodes].find((one) => one.nodeType === Node.TEXT_NODE)?.nodeValue ?? ''

const goTo = (link: HTMLElement) => () => link.click()

const siteLinks = () => [...document.querySelectorAll<HTMLAnchorElement>('.switch a[href^="/p/"]')]

/** Opens the current page for another site. */
const openSite = (link: HTMLAnchorElement) => () => {
  const here = document.querySelector('.side [data-go][aria-current]')?.getAttribute('href')
  location.assign(here?.replace(/^\/p\/\d+/, link.pathname) ?? link.href)
}

const palette = () => {
  const site = /^\/p\/\d+/.exec(document.querySelector('.side [data-go]')?.getAttribute('href') ?? '')?.[0].slice(3)
  openPalette(`/sites/find?site=${site ?? ''}&q=`)
}

/** Returns what each key does on this page. Keys without a target are left out. */
const actions = (): Map<string, Action> => {
  const found = new Map<string, Action>()
  found.set('?', ['Show this list', showList])
  for (const link of document.querySelectorAll<HTMLElement>('.side [data-go]'))
    found.set(`g ${link.dataset.go}`, [wordIn(link), goTo(link)])
  const sites = siteLinks()
  const at = sites.findIndex((one) => one.ariaCurrent)
  const [before, after] = [sites[at - 1], at < 0 ? undefined : sites[at + 1]]
  if (before) found.set('[', [`Site before: ${wordIn(before)}`, openSite(before)])
  if (after) found.set(']', [`Next site: ${wordIn(after)}`, openSite(after)])
  if (rows().length > 0) {
    found.set('j', ['Next row; Enter opens it', () => step(rows(), rowNow(), 1)])
    found.set('k', ['Row before', () => step(rows(), rowNow(), -1)])
    if (rows().some(tickIn)) found.set('x', ['Select the row', () => tickIn(rowNow())?.click()])
  }
  if (changes().length > 0) {
    found.set('n', ['Next change', () => step(changes(), document.activeElement, 1, focusChange)])
    found.set('p', ['Change before', () => step(changes(), document.activeElement, -1, focusChange)])
  }
  for (const one of every('main [data-key]'))
    found.set(
      one.dataset.key ?? '',
      one.matches('a') ? [nameOf(one), goTo(one)] : [`Go to “${nameOf(one)}”`, () => one.focus()],
    )
  if (every('.tile[data-move]').length > 0) found.set('Alt ← → ↑ ↓', ['Move the article that has the focus', () => {}])
  return found
}

const SHOWN: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→' }

const showList = () => {
  const terms = [...actions()].flatMap(([key, [does]]) => [
    el('dt', {}, ...key.split(' ').flatMap((one) => [el('kbd', {}, SHOWN[one] ?? one), ' '])),
    el('dd', { dir: 'auto' }, does),
  ])
  openDialog(
    'Keys',
    el('h2', {}, 'Keys on this page'),
    el(
      'dl',
      {},
      el('dt', {}, el('kbd', {}, 'Ctrl K'), ' ', el('kbd', {}, '⌘ K')),
      el('dd', {}, 'Find a page, a site or an article'),
      ...terms,
    ),
    el(
      'form',
      { method: 'dialog', class: 'row' },
      el('button', { class: 'plain', autofocus: '' }, 'Close'),
      el('a', { href: '/settings/profile' }, 'Switch keys off'),
    ),
  )
}

/** True if the key press is for something else: a field, the editor, or an open dialog. Also if keys are switched off. */
const isTaken = ({ target, isComposing, defaultPrevented }: KeyboardEvent): boolean =>
  document.documentElement.dataset.keys === 'off' ||
  isComposing ||
  defaultPrevented ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))) ||
  document.querySelector('dialog[open]') !== null

let leadUntil = 0

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, timeStamp } = event
  if (isTaken(event) || (key.length > 1 && !SHOWN[key])) return
  const isPalette = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey
  // Some keyboards need AltGr for brackets. Browsers report AltGr as Ctrl and Alt together.
  if (!isPalette && (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')) return
  const run = isPalette ? palette : actions().get(timeStamp < leadUntil ? `g ${key}` : key)?.[1]
  leadUntil = key === 'g' && !run ? timeStamp + LEAD_MS : 0
  if (!run) return
  event.preventDefault()
  run()
})

startSignOut()
