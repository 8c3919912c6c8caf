import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { guideTo, HELP } from '../../src/accounts/people/paths.ts'
import { answerSchemas, OPERATIONS } from '../../src/operations.ts'
import { ENTRIES, MENUS } from '../../src/pages/docs/menu.ts'
import { helpFor, SETTINGS_MENU, SITE_PAGES } from '../../src/pages/menu.ts'
import { PLAN_INCLUDES, PLAN_PRICES } from '../../src/platform/accounts/plans.ts'
import { anchorOf } from '../../src/platform/lib/text.ts'
import { connectionForms } from '../../src/providers/publishing.ts'

const textOf = (file: string): string => readFileSync(join(ROOT, 'docs', file), 'utf8').replace(/^<!--.*-->\n/, '')
const users = MENUS.filter(({ name }) => name !== 'operators').flatMap(({ parts }) =>
  parts.flatMap(({ entries }) => entries),
)

/** Words of those who run the service. `operator` in code is an actor of the audit log. The changelog and the license speak to all. */
const OPERATORS_WORDS =
  /npm (?:run|start|test)|[^`]\boperators?\b|`(?:src|test|scripts|schema|functions|local)\/|docs\/(?:design|decisions)|\.\.\/(?:design|operations|decisions)\/|\b(?:DATAFORSEO|GOOGLE|CHROME|SECRETS)_[A-Z]+/

it('no page of users has words of operators, or leads to pages that only operators need', () => {
  const found = users
    .filter(({ path }) => path !== 'help/changelog' && path !== 'license')
    .flatMap(({ file }) =>
      textOf(file)
        .split('\n')
        .filter((line) => OPERATORS_WORDS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})

it('the page of prices has the price and the credits of each plan', () => {
  const page = textOf('help/prices.md')
  for (const [plan, price] of Object.entries(PLAN_PRICES)) {
    const row = page.split('\n').find((line) => line.toLowerCase().startsWith(`| ${plan.replace('_', ' ')} |`)) ?? ''
    expect(row, plan).toContain(`| $${price} |`)
    const { articleCredits } = PLAN_INCLUDES[plan as keyof typeof PLAN_INCLUDES]
    if (articleCredits > 0) expect(row, plan).toContain(`${articleCredits} article credits`)
  }
})

it.each(Object.keys(connectionForms))('the guide to %s has a body that connects it', (platform) => {
  if (platform === 'webhook') return
  const [, body = '{}'] = /-d '(\{"platform".*?\})'/s.exec(textOf(`guides/${platform}.md`)) ?? []
  const form = connectionForms[platform as keyof typeof connectionForms]
  expect(JSON.parse(body)).toMatchObject({ platform })
  expect(form).toBeDefined()
})

it('pages and mails lead to documents that exist', () => {
  const pages = [
    ...SITE_PAGES.map(({ key }) => key),
    ...SETTINGS_MENU.flatMap((group) => group.pages.map(({ path }) => path)),
  ]
  const led = [...Object.values(HELP), ...pages.map(helpFor), ...Object.keys(connectionForms).map(guideTo)]
  const exists = (address: string): boolean => {
    const [path = '', anchor] = address.split('#')
    const file = ENTRIES.find((one) => `/docs/${one.path}` === path)?.file
    if (file === undefined || anchor === undefined) return file !== undefined
    return [...textOf(file).matchAll(/^## (.*)/gm)].some(([, heading = '']) => anchorOf(heading) === anchor)
  }
  expect(led.filter((path) => !exists(path))).toEqual([])
})

it('codes and operations that the written pages name exist', () => {
  const known = new Set(OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`))
  expect(answerSchemas().size).toBe(OPERATIONS.length)
  const written = users.filter(({ path }) => /^(guides|how|http|help)\//.test(path) && path !== 'help/changelog')
  const unknown = written.flatMap(({ file }) =>
    [...textOf(file).matchAll(/`(GET|POST|PUT|DELETE) (\/[^`?\s]*)/g)]
      .map(([, method = '', path = '']) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
      .filter((call) => !known.has(call))
      .map((call) => `${file}: ${call}`),
  )
  expect(unknown).toEqual([])
})

it('each page of a site has help of its own, in the words of owners', () => {
  const led = SITE_PAGES.map(({ key }) => helpFor(key).split('#')[0])
  expect(new Set(led).size).toBe(SITE_PAGES.length)
  const owners = ENTRIES.filter(({ path }) => path.startsWith('owners/'))
  const wrong = owners.filter(({ file }) => /`(GET|POST|PUT|DELETE) |```|_id\b|\bAPI(?! keys)/.test(textOf(file)))
  expect(wrong).toEqual([])
})
