import { expect, it } from 'vitest'
import type { StoredFormat } from '../../../schema/values/adopted.ts'
import { checkAdoptedParts } from '../../../src/publishing/adopt/rules.ts'
import type { CmsField } from '../../../src/publishing/target/cms-adapter.ts'

it.each<[CmsField[], StoredFormat, string | null, boolean]>([
  [['title'], 'lexical', null, true],
  [['metaDescription', 'seoTitle', 'canonicalUrl', 'image', 'tags'], 'blocks', 'Divi', true],
  [['title', 'html'], 'blocks', null, true],
  [['html'], 'classic', null, true],
  [['html'], 'html', null, true],
  [['html'], 'lexical', null, true],
  [['html'], 'mobiledoc', null, false],
  [['html'], 'blocks', 'Elementor', false],
  [['category'], 'blocks', null, false],
  [[], 'blocks', null, false],
])('a sync sends the parts %j of an adopted post in the form %s, owned by %s: %s', (parts, format, owner, isSent) => {
  const check = () => checkAdoptedParts(7, parts, { format, owner })
  if (isSent) expect(check).not.toThrow()
  else expect(check).toThrow(/Nothing was saved or sent/)
})
