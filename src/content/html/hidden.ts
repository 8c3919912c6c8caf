import { declarationsOf } from './style.ts'

/**
 * Effect of an element's attributes on its content.
 * - `element`: hidden with everything in it.
 * - `words`, `all`: own words (and pictures) do not show, but an element in it may show again.
 * - `shown`: undoes `words` and `all` of an ancestor.
 */
type Effect = { kind: 'element' } | { kind: 'words' | 'all'; why: string } | { kind: 'shown'; undoes: string }

/** Distance in pixels, or in percent of a page, at which content is off the screen. */
const OFF_SCREEN_PX = 900
const OFF_SCREEN_PERCENT = 100
/** Sizes of letters that nobody can read, by unit. */
const TINY: Readonly<Record<string, number>> = { '': 0, px: 2, pt: 1.5, em: 0.1, rem: 0.1, '%': 10 }
const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/

type Styles = ReadonlyMap<string, string>

/** Returns the values that win, by property: the last one, or the last important one. */
const stylesOf = (css: string): Styles => {
  const styles = new Map<string, string>()
  const important = new Set<string>()
  for (const { name, value } of declarationsOf(css)) {
    const bare = value.replace(/\s*!\s*important\s*$/, '')
    const isImportant = bare !== value
    if (important.has(name) && !isImportant) continue
    if (isImportant) important.add(name)
    styles.set(name, bare)
  }
  return styles
}

const lengthOf = (value: string | undefined): { size: number; unit: string } | undefined => {
  const match = LENGTH.exec(value ?? '')
  return match ? { size: Number(match[1]), unit: match[2] ?? '' } : undefined
}

const isZero = (value: string | undefined): boolean => lengthOf(value)?.size === 0

const isAtMost = (value: string | undefined, px: number): boolean => {
  const length = lengthOf(value)
  return length !== undefined && (length.size === 0 || (length.unit === 'px' && Math.abs(length.size) <= px))
}

/** True for a length that moves content off the screen, in any unit. */
const isFar = (value: string | undefined, isNegative = true): boolean => {
  const { size = 0, unit = '' } = lengthOf(value) ?? {}
  const far = isNegative ? -size : Math.abs(size)
  if (unit === '%' || unit === 'vw' || unit === 'vh') return far >= OFF_SCREEN_PERCENT
  return far * (unit === 'em' || unit === 'rem' ? 16 : 1) >= OFF_SCREEN_PX
}

const SIDES = ['left', 'right', 'top', 'bottom', 'inset', 'inset-inline-start', 'inset-block-start']
const MARGINS = ['margin', 'margin-left', 'margin-top', 'margin-inline-start', 'margin-block-start']

const anyOf = (styles: Styles, names: readonly string[], test: (value: string) => boolean): boolean =>
  names.some((name) => (styles.get(name) ?? '').split(/\s+/).some(test))

const isOffScreen = (styles: Styles): boolean => {
  // The sanitizer of earlier releases removed the position only.
  if (anyOf(styles, SIDES, (value) => isFar(value))) return true
  if (
    anyOf(styles, MARGINS, (value) => !value.endsWith('%') && isFar(value)) ||
    isFar(styles.get('text-indent'), false)
  )
    return true
  return [
    ...`${styles.get('transform') ?? ''} translate(${styles.get('translate') ?? ''})`.matchAll(
      /translate(?:x|y|3d)?\(([^)]*)\)/g,
    ),
  ].some(([, given = '']) => given.split(/[\s,]+/).some((value) => !value.endsWith('%') && isFar(value, false)))
}

/** True if nothing of an element is left: an area without size, or a scale of zero. */
const isClippedAway = (styles: Styles): boolean => {
  const clip = styles.get('clip-path') ?? styles.get('-webkit-clip-path') ?? ''
  const insets = /^inset\(([\d.]+)%/.exec(clip)
  if ((insets && Number(insets[1]) >= 50) || /^circle\(0[a-z%]*[\s)]/.test(clip)) return true
  const edges = /^rect\(([^)]*)\)/.exec(styles.get('clip') ?? '')?.[1]
  if (
    edges
      ?.split(/[\s,]+/)
      .filter(Boolean)
      .every((edge) => isAtMost(edge, 1))
  )
    return true
  return (
    /(?:^|\s)scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]/.test(styles.get('transform') ?? '') || isZero(styles.get('scale'))
  )
}

/** True for a box without size that cuts its content off. A box with a padding has a size: players are placed in such boxes. */
const isEmptyBox = (styles: Styles): boolean => {
  const overflow = ['overflow', 'overflow-x', 'overflow-y'].some((name) => /hidden|clip/.test(styles.get(name) ?? ''))
  const hasSize = [...styles].some(
    ([name, value]) => /^(?:padding|min-(?:width|height))/.test(name) && !/^[0a-z%\s]*$/.test(value),
  )
  const isSmall = (name: string) => isAtMost(styles.get(name), 1) || isAtMost(styles.get(`max-${name}`), 1)
  return overflow && !hasSize && (isSmall('height') || isSmall('width'))
}

/** Returns the size of letters that a style sets; undefined if it sets none. */
const fontSize = (styles: Styles): string | undefined =>
  styles.get('font-size') ??
  (styles.get('font') ?? '').split(/[\s/]+/).find((part) => LENGTH.test(part) && !/^[1-9]00$/.test(part))

const isTiny = (value: string): boolean => {
  const length = lengthOf(value)
  return length !== undefined && (length.size <= 0 || length.size <= (TINY[length.unit] ?? 0))
}

const isRelative = (value: string): boolean => /(?:^|[\d.])(?:em|%)$|^(?:smaller|larger|inherit|unset)$/.test(value)

const TRANSPARENT = /^transparent$|^(?:rgb|hsl)a?\([^)]*[,/]\s*0(?:\.0+)?%?\s*\)$|^#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)$/

/** Elements whose picture or film shows in the end, even if a script fades it in. */
const FADED_IN = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'source', 'track'])

const isFaded = (styles: Styles, tag: string): boolean =>
  (isZero(styles.get('opacity')) || /opacity\(\s*0(?:\.0+)?%?\s*\)/.test(styles.get('filter') ?? '')) &&
  !FADED_IN.has(tag) &&
  // A script fades it in.
  ![...styles.keys()].some((name) => /^(?:transition|animation)/.test(name))

const isGone = (styles: Styles, tag: string): boolean =>
  styles.get('display') === 'none' ||
  styles.get('mso-hide') === 'all' ||
  styles.get('content-visibility') === 'hidden' ||
  isFaded(styles, tag) ||
  isOffScreen(styles) ||
  isClippedAway(styles) ||
  isEmptyBox(styles)

const isHiddenValue = (value: string | undefined): boolean => value === 'hidden' || value === 'collapse'

const styleEffects = (styles: Styles, tag: string): Effect[] => {
  if (isGone(styles, tag)) return [{ kind: 'element' }]
  const effects: Effect[] = []
  const visibility = styles.get('visibility')
  if (isHiddenValue(visibility)) effects.push({ kind: 'all', why: 'visibility' })
  else if (visibility === 'visible') effects.push({ kind: 'shown', undoes: 'visibility' })
  const size = fontSize(styles)
  if (size !== undefined && isTiny(size)) effects.push({ kind: 'words', why: 'font-size' })
  else if (size !== undefined && !isRelative(size)) effects.push({ kind: 'shown', undoes: 'font-size' })
  const color = styles.get('-webkit-text-fill-color') ?? styles.get('color')
  const isPainted = [...styles.keys()].some((name) => name.endsWith('background-clip'))
  if (color !== undefined && TRANSPARENT.test(color) && !isPainted) effects.push({ kind: 'words', why: 'color' })
  else if (color !== undefined && color !== 'inherit') effects.push({ kind: 'shown', undoes: 'color' })
  return effects
}

/**
 * Returns the effects of an element's attributes on whether it shows. `aria-hidden` has none: readers see such an element.
 *
 * Rules of a site's stylesheet are not known.
 */
export const effectsOf = (tag: string, attributes: ReadonlyMap<string, string>): Effect[] => {
  if (attributes.has('hidden') || attributes.has('popover')) return [{ kind: 'element' }]
  const style = attributes.get('style')
  return style === undefined ? [] : styleEffects(stylesOf(style), tag)
}
