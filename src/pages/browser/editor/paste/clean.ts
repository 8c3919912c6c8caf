import { makeLists } from './lists.ts'
import { classStyles, readLook } from './styles.ts'

/** Changes by the paste stage. */
export type Changes = {
  /** Number of paragraphs that became lists. */
  lists: number
  /** True if bold or italic text was only marked by styles. */
  isStyled: boolean
  /** Number of empty lines that were left out. */
  empties: number
  /** Number of pictures that have to be uploaded. */
  pictures: number
  /** Names of the pictures that the clipboard does not have. */
  missing: string[]
}

/** Attribute of a pasted picture that has to be uploaded, or chosen again. Its value is the picture's name. */
export const PASTED_PICTURE = 'data-pasted'

const NO_TEXT = 'style, script, meta, link, title, xml, template, object, input, button, select'
const HAS_CONTENT = 'img, hr, table, iframe, video, audio, picture'

/** Removes comments, style sheets and Word's own elements. */
const removeForeign = (root: Element): void => {
  const walker = root.ownerDocument.createTreeWalker(root, 128)
  const comments: Node[] = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) (comment as ChildNode).remove()
  for (const element of [...root.querySelectorAll(NO_TEXT)]) element.remove()
  for (const element of [...root.querySelectorAll('*')])
    if (element.nodeName.includes(':')) element.replaceWith(...element.childNodes)
}

const isBlank = (element: Element): boolean =>
  (element.textContent ?? '').replace(/[\s\u00a0\u200b\ufeff]/g, '') === '' && !element.querySelector(HAS_CONTENT)

/** Removes lines without text, and breaks that only space blocks. Returns their number. */
const removeEmpty = (root: Element): number => {
  let removed = 0
  for (const element of [...root.querySelectorAll('p, div, li, h1, h2, h3, h4, h5, h6, ul, ol, a')].reverse())
    if (isBlank(element) && !element.closest('pre')) {
      element.remove()
      removed += element.nodeName === 'A' ? 0 : 1
    }
  for (const gap of [...root.querySelectorAll('br')]) {
    const isBetween = [gap.previousElementSibling, gap.nextElementSibling].every(
      (next) => next === null || next.matches('p, div, ul, ol, table, blockquote, pre, hr, br, h1, h2, h3, h4, h5, h6'),
    )
    const text = [gap.previousSibling, gap.nextSibling].some((next) => next?.nodeType === 3 && next.nodeValue?.trim())
    if ((isBetween && !text) || gap.className === 'Apple-interchange-newline') gap.remove()
  }
  return removed
}

const nameOf = (picture: HTMLImageElement): string => {
  const address = picture.getAttribute('src') ?? ''
  const name = address.startsWith('data:') ? '' : (address.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? '')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Marks the pictures that have to be uploaded or chosen again. Removes those without a source, and pixels that count readers. */
const readPictures = (root: Element, changes: Changes, own: string): void => {
  for (const picture of [...root.querySelectorAll('img')]) {
    const address = picture.getAttribute('src') ?? ''
    const isPixel = ['width', 'height'].some((side) => /^[01](px)?$/.test(picture.getAttribute(side) ?? ''))
    if (address === '' || isPixel) {
      picture.remove()
      continue
    }
    if (address.startsWith(own)) continue
    const isThere = /^(https?:|data:image\/)/i.test(address)
    const name = picture.alt || nameOf(picture) || 'A picture'
    picture.setAttribute(PASTED_PICTURE, name)
    if (isThere) changes.pictures += 1
    else changes.missing.push(name)
  }
}

/** Cleans what was pasted, before it is parsed. `own`: where the service's own pictures are. */
export const cleaned = (root: HTMLElement, own: string): Changes => {
  const changes: Changes = { lists: 0, isStyled: false, empties: 0, pictures: 0, missing: [] }
  const classes = classStyles(root)
  changes.lists = makeLists(root)
  removeForeign(root)
  changes.isStyled = readLook(root, classes)
  readPictures(root, changes, own)
  changes.empties = removeEmpty(root)
  for (const element of root.querySelectorAll('[dir=ltr]')) element.removeAttribute('dir')
  for (const anchor of [...root.querySelectorAll('a:not([href])')]) anchor.replaceWith(...anchor.childNodes)
  return changes
}

const listed = (names: readonly string[]): string => [...new Set(names)].slice(0, 5).join(', ')

/** Returns the report on a paste, for people; empty if nothing was changed. */
export const reportOf = ({ lists, isStyled, empties, pictures, missing }: Changes): string =>
  [
    isStyled ? 'Bold and italic were kept; fonts and colours were not.' : '',
    lists === 0 ? '' : `${lists === 1 ? 'A list of Word is a list' : `${lists} lists of Word are lists`} here.`,
    empties === 0 ? '' : `${empties === 1 ? 'An empty line was' : `${empties} empty lines were`} left out.`,
    pictures === 0 ? '' : `${pictures === 1 ? 'A picture is' : `${pictures} pictures are`} being copied.`,
    missing.length === 0
      ? ''
      : `The clipboard does not have ${missing.length === 1 ? 'a picture' : `${missing.length} pictures`}: ${listed(missing)}. Drop the ${missing.length === 1 ? 'file' : 'files'} where ${missing.length === 1 ? 'it is' : 'they are'} missing.`,
  ]
    .filter((line) => line !== '')
    .join(' ')
