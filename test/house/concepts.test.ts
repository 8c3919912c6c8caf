import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ARTICLE_STATUSES, PUBLISH_STATES } from '../../schema/values/articles.ts'
import { DELIVERY_STATUSES } from '../../schema/values/publishing.ts'
import { OWN_CHARACTERS } from '../../src/content/articles/rules.ts'
import { PLAN_INCLUDES } from '../../src/platform/accounts/plans.ts'

const page = (name: string): string => readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8')

/** Returns the first cells of a page's tables, below the head, that are one word of code. */
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^\| `(\w+)` \|.*$(?!\n\|---)/gm)].map(([, word = '']) => word)

/** Returns the part of the page on articles below a heading. */
const partOf = (heading: string): string =>
  page('how/articles')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`)) ?? ''

it('the page of articles explains every status of an article, and draws every state of its publication', () => {
  expect(rowsOf(partOf('Status')).sort()).toEqual([...ARTICLE_STATUSES].sort())
  const drawing = partOf('PublishState')
  for (const state of PUBLISH_STATES) expect(drawing).toMatch(new RegExp(`\\b${state}\\b`))
})

it('the page of articles explains every status of a delivery', () => {
  expect(rowsOf(partOf('Deliveries')).sort()).toEqual([...DELIVERY_STATUSES].sort())
})

it('the page of accounts says what each plan includes', () => {
  const rows = [...page('how/accounts').matchAll(/^\| (`.+?) \| (yes|no) \| (\d+) \|$/gm)]
  const told = rows.flatMap(([, plans = '', writer, credits]) =>
    [...plans.matchAll(/`(\w+)`/g)].map(([, plan]) => [plan, writer === 'yes', Number(credits)]),
  )
  expect(told).toEqual(
    Object.entries(PLAN_INCLUDES).map(([plan, { writer, articleCredits }]) => [plan, writer, articleCredits]),
  )
})

it('the page of articles names the length that claims', () => {
  expect(partOf('The claim and the writer')).toContain(`${OWN_CHARACTERS.toLocaleString('en')} or more characters`)
})

it.each(['how/articles', 'how/accounts', 'http/limits'])('the page %s has a drawing', (name) => {
  expect(page(name)).toMatch(/^```\n[^`]*(?:──|[−+] \d)[^`]*^```$/m)
})

it('the index leads to every document', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(README|index|reference\/operations-\w+)\.md$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
  expect(pages.filter((file) => !index.includes(`(${file})`))).toEqual([])
})
