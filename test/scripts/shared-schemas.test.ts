import { expect, it } from 'vitest'
import { shareSchemas } from '../../scripts/docs/shared-schemas.ts'

const words = { type: 'string', description: 'Words that make the schema long enough to be shared. '.repeat(4) }
const row = { type: 'object', properties: { id: { type: 'integer' }, words }, required: ['id', 'words'] }
const sharing = (fields: Record<string, unknown>, others: Record<string, unknown> = {}) => {
  const paths = { '/a': { type: 'object', properties: fields }, '/b': { type: 'object', properties: others } }
  return shareSchemas({ paths, components: { schemas: {} } }) as {
    paths: Record<string, { properties: Record<string, unknown> }>
    components: { schemas: Record<string, unknown> }
  }
}
const ref = { $ref: '#/components/schemas/Post' }

it('a row in several places has one name, and each place keeps its own description', () => {
  const { paths, components } = sharing({ posts: row, last: { ...row, description: 'The last one.' } })
  expect(components.schemas).toEqual({ Post: row })
  expect(paths['/a']?.properties).toEqual({ posts: ref, last: { ...ref, description: 'The last one.' } })
})

it('a row that may be null is the same row, or null', () => {
  const nullable = { ...row, type: ['object', 'null'], description: 'Null before the first.' }
  const { paths, components } = sharing({ posts: row }, { last: nullable })
  expect(components.schemas).toEqual({ Post: row })
  expect(paths['/b']?.properties.last).toEqual({
    anyOf: [ref, { type: 'null' }],
    description: 'Null before the first.',
  })
})

it('a row in one place has no name', () => {
  const { paths, components } = sharing({ posts: row })
  expect([paths['/a']?.properties.posts, components.schemas]).toEqual([row, {}])
})
