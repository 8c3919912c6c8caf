import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { defaultOf } from '../../scripts/docs/defaults.ts'
import { noteFields, throwIfMissing } from '../../scripts/docs/missing.ts'
import { answerSchemas, OPERATIONS } from '../../src/operations.ts'
import { answerSchema, inputSchemaOf, inputSchemas, type JsonSchema } from '../../src/platform/http/json-schemas.ts'
import { means } from '../../src/platform/lib/fields.ts'

it('every field of an input and of an answer has its sentence at its schema', () => {
  for (const op of OPERATIONS) {
    const { query, body } = inputSchemas(op)
    for (const schema of [query, body]) if (schema) noteFields(op.id, schema)
  }
  for (const [id, answers] of answerSchemas())
    for (const schema of Object.values(answers)) if (schema) noteFields(id, answerSchema(schema))
  expect(throwIfMissing).not.toThrow()
})

it('a field without a sentence is reported with the path to it', () => {
  const row = z.strictObject({ id: means('ID.', z.int()), name: z.optional(z.string()) })
  noteFields('notes.list', answerSchema(z.strictObject({ notes: means('Notes.', z.array(row)) })))
  expect(throwIfMissing).toThrow("notes.list: means('…', …) around the schema of notes.name")
})

it.each([
  ['a shared schema', z.string()],
  ['a schema with words of its own', means('Other words.', z.string(), 'none')],
])('a sentence belongs to one field alone: %s', (_, shared) => {
  const schema = inputSchemaOf(z.object({ a: means('First.', shared), b: means('Second.', shared, '`2`'), c: shared }))
  const { a, b, c } = schema.properties as Record<string, JsonSchema>
  expect([a?.description, a?.otherwise]).toEqual(['First.', undefined])
  expect([b?.description, b?.otherwise]).toEqual(['Second.', '`2`'])
  expect(c?.description).not.toBe('Second.')
})

it('an optional field of a change says that it stays as it is, and that of a new thing says its default', () => {
  const field = inputSchemaOf(means('Text.', z.string(), 'empty'))
  const [create, update, sync] = ['articles.create', 'articles.update', 'articles.sync'].map((id) =>
    OPERATIONS.find((op) => op.id === id),
  )
  if (!create || !update || !sync) throw new Error('The operations have other names.')
  expect([create, update, sync].map((op) => defaultOf(op, 'title', field))).toEqual(['empty', 'unchanged', 'unchanged'])
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
