/** Marks of a text, read from elements and from styles. */
type Look = {
  bold: boolean
  italic: boolean
  underline: boolean
  strike: boolean
  /** Element for text above or below the line. */
  shift: 'sup' | 'sub' | ''
}

const PLAIN: Look = { bold: false, italic: false, underline: false, strike: false, shift: '' }

/** Elements that only change the look of their text. Each becomes the marks of the text in it. */
const CARRIERS = 'span, font, b, strong, i, em, u, ins, s, strike, del, sup, sub, big, tt'
/** Elements whose text is bold by itself, so that bold has no meaning in them. */
const BOLD_BY_ITSELF = new Set(['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'TH'])
const BLOCKS =
  'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, table, blockquote, pre, figure, hr, section, article, dl, details'

const OF_ELEMENT: Readonly<Record<string, Partial<Look>>> = {
  B: { bold: true },
  STRONG: { bold: true },
  I: { italic: true },
  EM: { italic: true },
  U: { underline: true },
  INS: { underline: true },
  S: { strike: true },
  STRIKE: { strike: true },
  DEL: { strike: true },
  SUP: { shift: 'sup' },
  SUB: { shift: 'sub' },
}

/** Declarations of a style, by property. */
export type Declarations = ReadonlyMap<string, string>

/** Returns the declarations of a `style` attribute, with those that browsers do not know. */
export const declarationsOf = (style: string): Declarations =>
  new Map(
    style.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf(':')
      return at < 1
        ? []
        : [
            [
              part.slice(0, at).trim().toLowerCase(),
              part
                .slice(at + 1)
                .trim()
                .toLowerCase(),
            ],
          ]
    }),
  )

/** Returns the declarations of the classes in the clipboard's own style sheets, by class. */
export const classStyles = (root: Element): ReadonlyMap<string, Declarations> => {
  const found = new Map<string, Declarations>()
  for (const sheet of root.querySelectorAll('style'))
    for (const [, names = '', body = ''] of (sheet.textContent ?? '').matchAll(/([^{}]+)\{([^{}]*)\}/g))
      for (const [, name = ''] of names.matchAll(/\.([\w-]+)/g))
        found.set(name, new Map([...(found.get(name) ?? []), ...declarationsOf(body)]))
  return found
}

const weightOf = (said: Declarations): boolean | undefined => {
  const weight = said.get('font-weight') ?? said.get('font') ?? ''
  if (/\b(bold|bolder|[6-9]00)\b/.test(weight)) return true
  return said.has('font-weight') ? false : undefined
}

const slantOf = (said: Declarations): boolean | undefined => {
  const slant = said.get('font-style') ?? said.get('font') ?? ''
  if (/\b(italic|oblique)\b/.test(slant)) return true
  return said.has('font-style') ? false : undefined
}

/** Returns the look of an element's text. */
const lookIn = (element: Element, around: Look, said: Declarations): Look => {
  const look = { ...around, ...OF_ELEMENT[element.nodeName] }
  const [bold, italic] = [weightOf(said), slantOf(said)]
  if (bold !== undefined) look.bold = bold
  if (italic !== undefined) look.italic = italic
  const line = `${said.get('text-decoration') ?? ''} ${said.get('text-decoration-line') ?? ''}`
  if (line.includes('underline')) look.underline = true
  if (line.includes('line-through')) look.strike = true
  const shift = said.get('vertical-align')
  if (shift === 'super') look.shift = 'sup'
  if (shift === 'sub') look.shift = 'sub'
  if (shift === 'baseline') look.shift = ''
  return look
}

const marksOf = (text: Text, look: Look): string[] => {
  const within = (selector: string): boolean => text.parentElement?.closest(selector) != null
  if (within('pre')) return []
  return [
    ...(look.bold && !within('h1, h2, h3, h4, h5, h6, th') ? ['strong'] : []),
    ...(look.italic ? ['em'] : []),
    // A link is underlined by itself.
    ...(look.underline && !within('a') ? ['u'] : []),
    ...(look.strike ? ['s'] : []),
    ...(look.shift === '' ? [] : [look.shift]),
  ]
}

/** True if the text is whitespace between blocks. */
const isBetweenBlocks = (text: Text): boolean =>
  /^[ \t\r\n\f]*$/.test(text.data) && [...(text.parentElement?.children ?? [])].some((child) => child.matches(BLOCKS))

/**
 * Gives each text the marks that it was shown with, from styles and elements, and removes the elements that had them.
 *
 * Returns true if a mark came from a style.
 */
export const readLook = (root: Element, classes: ReadonlyMap<string, Declarations>): boolean => {
  const texts: [Text, Look][] = []
  let isStyled = false
  const walk = (element: Element, around: Look): void => {
    const said = new Map(
      [...element.classList]
        .flatMap((name) => [...(classes.get(name) ?? [])])
        .concat([...declarationsOf(element.getAttribute('style') ?? '')]),
    )
    const look = lookIn(element, BOLD_BY_ITSELF.has(element.nodeName) ? { ...around, bold: false } : around, said)
    if (weightOf(said) ?? slantOf(said)) isStyled = true
    for (const child of element.childNodes) {
      if (child.nodeType === 3) texts.push([child as Text, look])
      else if (child.nodeType === 1) walk(child as Element, look)
    }
  }
  walk(root, PLAIN)
  for (const [text, look] of texts) {
    if (isBetweenBlocks(text)) continue
    let top: Text | HTMLElement = text
    for (const mark of marksOf(text, look).reverse()) {
      const made = text.ownerDocument.createElement(mark)
      made.dataset.look = ''
      top.replaceWith(made)
      made.append(top)
      top = made
    }
  }
  for (const carrier of [...root.querySelectorAll(CARRIERS)])
    if (!('look' in (carrier as HTMLElement).dataset)) carrier.replaceWith(...carrier.childNodes)
  for (const made of root.querySelectorAll<HTMLElement>('[data-look]')) delete made.dataset.look
  return isStyled
}
