/// <reference path="./jsdom-parser.d.ts" />
import { Readability } from '@mozilla/readability'
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import { type HtmlNode, isElement, parseFragment, renderFragment } from '../../../content/html/tree.ts'

/** A page with more elements is not read. */
const MAX_ELEMENTS = 30_000

/** Elements that are removed first: they are not part of a page's text and could take long to read. */
const LEFT_OUT = new Set('script style noscript template textarea svg math iframe object embed form'.split(' '))

/** Elements that only surround a page's text. */
const WRAPPERS = new Set(['div', 'main', 'article', 'section'])

/** Returns nodes without the elements that surround all of them. */
const unwrapped = (nodes: HtmlNode[]): HtmlNode[] => {
  let inner = nodes
  for (;;) {
    const [only, ...more] = inner.filter((node) => isElement(node) || node.text.trim() !== '')
    if (only === undefined || more.length > 0 || !isElement(only) || !WRAPPERS.has(only.tag)) return inner
    inner = only.children
  }
}

/**
 * Returns the main content of a page, as Firefox's reader view finds it; undefined if none is found.
 *
 * With `base`, relative addresses in it become absolute.
 *
 * The project's own parser reads the page first, so that the library gets well-formed HTML without deep nesting.
 */
export const mainContent = (page: string, base?: string): string | undefined => {
  try {
    const document = new JSDOMParser().parse(
      `<html><body>${renderFragment(parseFragment(page, LEFT_OUT), '/>')}</body></html>`,
      base,
    )
    const found = new Readability(document, { maxElemsToParse: MAX_ELEMENTS, disableJSONLD: true }).parse()
    return found?.content ? renderFragment(unwrapped(parseFragment(found.content))) : undefined
  } catch {
    return undefined
  }
}
