import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { idleAnswerWords } from '../../scripts/docs/answers/words.ts'
import { idleWords } from '../../scripts/docs/fields/words.ts'
import { fieldLines, typeText } from '../../scripts/docs/schema-text.ts'
import { answerSchemas, OPERATIONS } from '../../src/operations.ts'
import { answerSchema, inputSchemas } from '../../src/platform/http/json-schemas.ts'

const fieldsOf = new Map(
  OPERATIONS.map((op) => {
    const { query, body } = inputSchemas(op)
    const lines = [query, body].flatMap((schema) => (schema ? fieldLines(schema) : []))
    return [op.id, new Set(lines.map(({ path }) => path))]
  }),
)

it('the reference explains no field that an operation does not have', () => {
  expect(idleWords((id, field) => fieldsOf.get(id)?.has(field) ?? false)).toEqual([])
})

const answerFields = [...answerSchemas()].flatMap(([id, answers]) =>
  Object.values(answers).flatMap((schema) => {
    const found: { id: string; path: string }[] = []
    const note = (path: string) => {
      found.push({ id, path })
      return ''
    }
    if (schema) typeText(answerSchema(schema), note)
    return found
  }),
)

it('the reference explains no field that no answer has', () => {
  expect(answerFields.length).toBeGreaterThan(1_000)
  expect(idleAnswerWords(answerFields)).toEqual([])
})

it('the meaning of an answer’s field follows it on its line', () => {
  const page = readFileSync(new URL('../../docs/reference/operations-articles.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## GET /articles\n')
  const [, type = ''] = section.split('```ts\n')
  for (const line of type.split('```')[0]?.split('\n') ?? [])
    if (/^ +(next_offset|PublishState)\b/.test(line)) expect(line).toMatch(/^ +\w+\??: [^/]+ {2}\/\/ .{10,}$/)
  expect(type).toMatch(/^ {4}PublishState: "idle" .* \/\/ .*`?failed`?/m)
})

const settingsRows = (): string[][] => {
  const page = readFileSync(new URL('../../docs/reference/operations-projects.md', import.meta.url), 'utf8')
  const section = page.split('\n## ').find((part) => part.startsWith('PUT /projects/:id\n')) ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

it('the reference says that PUT keeps missing settings', () => {
  const rows = settingsRows()
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(([, , , , leftOut]) => leftOut !== 'unchanged').map(([, field]) => field)).toEqual([])
})

it('no schema of the description has the name of a type that generated clients use themselves', () => {
  const text = readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')
  const names = Object.keys((JSON.parse(text) as { components: { schemas: object } }).components.schemas)
  expect(names).toContain('ApiError')
  expect(names.filter((name) => /^(Body|Request|Response|Headers|Error|Event|File|Blob|Record)$/.test(name))).toEqual(
    [],
  )
})
