import { expect, it } from 'vitest'
import { idleWords } from '../../scripts/docs/fields/words.ts'
import { fieldLines } from '../../scripts/docs/schema-text.ts'
import { inputSchemas } from '../../src/http/json-schemas.ts'
import { OPERATIONS } from '../../src/operations.ts'

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
