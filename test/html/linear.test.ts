import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/html/document.ts'
import { imagesIn, pointImages } from '../../src/html/images.ts'
import { outermost } from '../../src/html/outermost.ts'
import { readPageHead } from '../../src/html/page.ts'
import { linkableTexts, setStructure } from '../../src/html/rewrite.ts'
import { sanitizeHtml } from '../../src/html/sanitize.ts'
import { showsContent, showsText } from '../../src/html/shown.ts'
import { parseFragment, renderFragment, textOf } from '../../src/html/tree.ts'
import { HOSTILE } from './hostile.ts'
import { workOf } from './work.ts'

const SMALL = 400
/** Twice the source, twice the work; the rest is what a reading costs however short it is. */
const MAX_RATIO = 2.3

const READERS: Readonly<Record<string, (html: string) => unknown>> = {
  sanitizeHtml,
  readDocument,
  readPageHead,
  'parseFragment and back': (html) => {
    const tree = parseFragment(html)
    return [renderFragment(tree), textOf(tree)]
  },
  linkableTexts,
  setStructure: (html) => setStructure(html, { ids: [], contents: [] }),
  imagesIn,
  pointImages: (html) => pointImages(html, new Map([['x', 'y']])),
  outermost: (html) => outermost(html, new Set(['pre', 'table'])),
  showsContent,
  showsText,
}

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it.each(Object.entries(HOSTILE))('does twice the work for twice the source: %s', (_name, build) => {
    const source = build(SMALL)
    const twice = build(2 * SMALL)
    // Tables that a reader builds when it first needs them are not what is counted here.
    read(source)
    expect(workOf(() => read(twice)) / workOf(() => read(source))).toBeLessThan(MAX_RATIO)
  })
})

it.each(Object.entries(HOSTILE))('300 KB come to an end in every reader: %s', (_name, build) => {
  const source = build(Math.floor(300_000 / (build(1_000).length / 1_000)))
  for (const read of Object.values(READERS)) read(source)
})
