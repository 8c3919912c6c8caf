import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ARTICLE_STATUSES, PUBLISH_STATES } from '../../schema/values/articles.ts'
import { DELIVERY_STATUSES } from '../../schema/values/publishing.ts'
import { OWN_CHARACTERS } from '../../src/content/articles/rules.ts'
import { PLAN_INCLUDES } from '../../src/platform/accounts/plans.ts'

const page = (name: string): string => readFileSync(join(ROOT, 'docs/concepts', `${name}.md`), 'utf8')

/** Returns the first cells of a page's tables, below the head, that are one word of code. */
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^\| `(\w+)` \|.*$(?!\n\|---)/gm)].map(([, word = '']) => word)

it('the page of states explains every status of an article, and draws every state of its publication', () => {
  expect(rowsOf(page('states')).sort()).toEqual([...ARTICLE_STATUSES].sort())
  const [, drawing = ''] = page('states').split('## PublishState')
  for (const state of PUBLISH_STATES) expect(drawing).toMatch(new RegExp(`\\b${state}\\b`))
})

it('the page of deliveries explains every status of a delivery', () => {
  expect(rowsOf(page('deliveries')).sort()).toEqual([...DELIVERY_STATUSES].sort())
})

it('the page of credits says what each plan includes', () => {
  const rows = [...page('credits').matchAll(/^\| (`.+?) \| (yes|no) \| (\d+) \|$/gm)]
  const told = rows.flatMap(([, plans = '', writer, credits]) =>
    [...plans.matchAll(/`(\w+)`/g)].map(([, plan]) => [plan, writer === 'yes', Number(credits)]),
  )
  expect(told).toEqual(
    Object.entries(PLAN_INCLUDES).map(([plan, { writer, articleCredits }]) => [plan, writer, articleCredits]),
  )
})

it('the page of the claim names the length that claims', () => {
  expect(page('claim')).toContain(`${OWN_CHARACTERS.toLocaleString('en')} or more characters`)
})

it.each(['states', 'claim', 'revisions', 'deliveries', 'credits', 'limits'])(
  'the page of %s is short and has a drawing',
  (name) => {
    const text = page(name)
    expect(text).toMatch(/^```\n[^`]*(?:──|[−+] \d)[^`]*^```$/m)
    expect(text.split('\n').length).toBeLessThan(80)
  },
)

it('the index leads to every document', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(README|index|reference\/operations-\w+)\.md$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
  expect(pages.filter((file) => !index.includes(`(${file})`))).toEqual([])
})
