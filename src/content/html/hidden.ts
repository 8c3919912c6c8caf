import { declarationsOf } from './style.ts'

/** Elements whose picture or film shows in the end, even if a script fades it in. */
const FADED_IN = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'source', 'track'])

/** Length far outside of any page, such as `-9999px`. */
const FAR = /^-\d{3,}/

const NOTHING = /^0(?:\.0*)?(?:px|r?em|%|pt|v[wh])?$/

const CLIPPED = /^(?:rect\(\s*(?:0|1px)[^)]*\)|inset\(\s*(?:[5-9]\d|100)%[^)]*\))$/

/** Returns the values of a style by property, in lower case, the last of duplicates first asked. */
const stylesOf = (style: string): Map<string, string> =>
  new Map(
    declarationsOf(style).map(({ text }) => {
      const colon = text.indexOf(':')
      const value = text.slice(colon + 1).replace(/!\s*important\s*$/i, '')
      return [text.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase()]
    }),
  )

const isOutside = (styles: ReadonlyMap<string, string>): boolean =>
  ['left', 'right', 'top', 'bottom', 'text-indent', 'margin-left', 'margin-top'].some((name) =>
    FAR.test(styles.get(name) ?? ''),
  )

const isFlat = (styles: ReadonlyMap<string, string>): boolean =>
  /^(?:hidden|clip)/.test(styles.get('overflow') ?? '') &&
  ['height', 'max-height', 'width', 'max-width'].some((name) => NOTHING.test(styles.get(name) ?? ''))

const isTransparent = (styles: ReadonlyMap<string, string>, tag: string): boolean =>
  NOTHING.test(styles.get('opacity') ?? '') &&
  // A script fades it in.
  !FADED_IN.has(tag) &&
  ![...styles.keys()].some((name) => /^(?:transition|animation)/.test(name))

/** True if a style hides its element. */
const isHiddenBy = (style: string, tag: string): boolean => {
  const styles = stylesOf(style)
  const has = (name: string, pattern: RegExp) => pattern.test(styles.get(name) ?? '')
  return (
    has('display', /^none\b/) ||
    has('visibility', /^(?:hidden|collapse)\b/) ||
    has('content-visibility', /^hidden\b/) ||
    has('font-size', NOTHING) ||
    has('transform', /\bscale(?:3d)?\(\s*0(?:\.0*)?\s*[,)]/) ||
    has('mso-hide', /^all\b/) ||
    has('clip', CLIPPED) ||
    has('clip-path', CLIPPED) ||
    isTransparent(styles, tag) ||
    isOutside(styles) ||
    isFlat(styles)
  )
}

/**
 * True if readers do not see an element, because of its attribute `hidden`, with any value, or of its style.
 *
 * `attribute` returns a decoded attribute. Rules of a stylesheet are not known, nor is a child that is made visible again.
 */
export const isHidden = (tag: string, attribute: (name: string) => string | undefined): boolean => {
  if (attribute('hidden') !== undefined) return true
  const style = attribute('style')
  return style !== undefined && isHiddenBy(style, tag)
}
