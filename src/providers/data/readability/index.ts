/// <reference path="./jsdom-parser.d.ts" />
import { Readability } from '@mozilla/readability'
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import { parseFragment, renderFragment } from '../../../content/html/tree.ts'

/** A page with more elements than this is no article. */
const MAX_ELEMENTS = 30_000

/** Elements that are left out: they are no part of a page's text and could take long to read. */
const LEFT_OUT = new Set('script style noscript template textarea svg math iframe object embed form'.split(' '))

/**
 * Returns the main content of a page, as Firefox's reader view finds it; undefined if there is none to be told from the rest. The page is
 * read by the project's own parser first, so that what the library gets is well formed and nowhere nested deep.
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
