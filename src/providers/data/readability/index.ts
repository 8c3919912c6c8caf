/// <reference path="./jsdom-parser.d.ts" />
import { Readability } from '@mozilla/readability'
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import { parseFragment, renderFragment } from '../../../content/html/tree.ts'

/** A page with more elements is not read. */
const MAX_ELEMENTS = 30_000

/** Elements that are removed first: they are not part of a page's text and could take long to read. */
const LEFT_OUT = new Set('script style noscript template textarea svg math iframe object embed form'.split(' '))

/**
 * Returns the main content of a page, as Firefox's reader view finds it; undefined if none is found.
 *
 * The project's own parser reads the page first, so that the library gets well-formed HTML without deep nesting.
 */
export const mainContent = (page: string): string | undefined => {
  try {
    const document = new JSDOMParser().parse(
      `<html><body>${renderFragment(parseFragment(page, LEFT_OUT))}</body></html>`,
    )
    const found = new Readability(document, { maxElemsToParse: MAX_ELEMENTS, disableJSONLD: true }).parse()
    return found?.content ?? undefined
  } catch {
    return undefined
  }
}
