import { expect, it } from 'vitest'
import { checkAdoptedParts, htmlOf } from '../../../src/publishing/adopt/rules.ts'
import type { CmsField } from '../../../src/publishing/target/cms-adapter.ts'

it.each([
  ['bare lines', 'One.\n\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
  ['a break within a paragraph', 'One\nand more.', '<p>One<br>\nand more.</p>'],
  ['line ends of Windows', 'One.\r\n\r\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
  ['a heading among bare lines', 'One.\n\n<h2>Two</h2>\n\nThree.', '<p>One.</p>\n<h2>Two</h2>\n<p>Three.</p>'],
  ['a list with lines of its own', '<ul>\n<li>One</li>\n</ul>', '<ul>\n<li>One</li>\n</ul>'],
  ['an inline element at the start', '<strong>One.</strong> Two.', '<p><strong>One.</strong> Two.</p>'],
  ['no text', ' \n\n ', ''],
])('shows a classic text with %s as WordPress does', (_, text, html) => {
  expect(htmlOf({ format: 'classic', text })).toBe(html)
})

it.each([
  ['blocks', '<!-- wp:paragraph --><p>One.</p><!-- /wp:paragraph -->', undefined],
  ['html', '<p>One.</p>', undefined],
] as const)('shows a text of the form %s as it is', (format, text, html) => {
  expect(htmlOf({ format, text, ...(html === undefined ? {} : { html }) })).toBe(text)
})

it('shows the HTML of a CMS that converts its own form', () => {
  expect(htmlOf({ format: 'lexical', text: '{"root":{}}', html: '<p>One.</p>' })).toBe('<p>One.</p>')
})

it.each<[CmsField[], boolean]>([
  [['title'], true],
  [['metaDescription', 'seoTitle', 'canonicalUrl', 'image', 'tags'], true],
  [['title', 'html'], false],
  [['category'], false],
  [[], false],
])('a sync of an adopted post sends the parts %j: %s', (parts, isSent) => {
  const check = () => checkAdoptedParts(7, parts)
  if (isSent) expect(check).not.toThrow()
  else expect(check).toThrow(/Nothing was saved or sent/)
})
