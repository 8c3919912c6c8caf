import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ARTICLE_STATUSES, PUBLISH_STATES } from '../../schema/values/articles.ts'
import { DELIVERY_STATUSES } from '../../schema/values/publishing.ts'

const ROOT = join(import.meta.dirname, '../..')

const STATUS = new RegExp(`'(${[...ARTICLE_STATUSES, ...PUBLISH_STATES, ...DELIVERY_STATUSES].join('|')})'`, 'g')

/** Returns the template that begins at `start`, without the contents of its `${}`. */
const templateAt = (text: string, start: number): string => {
  let plain = ''
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\' || text.startsWith('${', at)) at += 1
    if (char === '$' && text[at] === '{') depth += 1
    else if (depth > 0 && char === '{') depth += 1
    else if (depth > 0 && char === '}') depth -= 1
    else if (depth === 0 && char === '`') return plain
    if (depth === 0) plain += char
  }
  return plain
}

/** Returns the SQL a file writes as text, without the values and columns that are put into it. */
const sqlTextsIn = (text: string): string[] => [
  ...[...text.matchAll(/\bsql(<[^`;]*?>)?`|\bsql\.raw\(\s*`/g)].map(({ 0: found, index }) =>
    templateAt(text, index + found.length),
  ),
  ...[...text.matchAll(/\bsql\.raw\(\s*"([^"]*)"/g)].map(([, raw = '']) => raw),
]

const statusesIn = (text: string): string[] => sqlTextsIn(text).flatMap((part) => part.match(STATUS) ?? [])

/** Pattern of conditions that name an article's status. The state table should say which statuses allow an action. */
const NAMED = /\b(?:eq|ne|inArray|notInArray|oneOf)\((?:articles|[ah])\.status, \[?'/

const files = ['src', 'functions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') })),
)

it('no status of an article, its publication or a delivery is written into SQL text', () => {
  expect(files.flatMap(({ name, text }) => statusesIn(text).map((status) => `${name}: ${status}`))).toEqual([])
})

it('conditions on the status of an article come from the state table', () => {
  // The exchange is a layer below the articles, and so below the state table.
  const found = files.filter(({ text }) => NAMED.test(text)).map(({ name }) => name)
  expect(found).toEqual(['src/content/exchange/verify.ts'])
})

it.each([
  ["sql`where a.status = 'Published'`", ["'Published'"]],
  [`sql<number>\`case when \${publishState} = 'failed' then 1 end\``, ["'failed'"]],
  [`sql.raw("status = 'Planned'")`, ["'Planned'"]],
  [`sql\`where \${and(sql\`x\`, a)} and status in ('sending', 'retrying')\``, ["'sending'", "'retrying'"]],
  [`sql\`where \${oneOf(a.publishState, ['idle', 'failed'])} and \${{ a: 1 }}\``, []],
  ["stateOf('Planned')", []],
])('in %s it finds %j', (text, found) => expect(statusesIn(text)).toEqual(found))
