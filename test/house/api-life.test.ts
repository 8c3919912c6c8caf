import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { breakingChanges, type Description } from '../releases/breaking.ts'

const read = (path: string): Description => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Description

/** Description of one operation, changed by `change`. */
const changed = (change: (description: Description) => void): string[] => {
  const make = (): Description => ({
    paths: {
      '/notes': {
        post: {
          parameters: [{ name: 'colour', in: 'query' }],
          requestBody: {
            content: {
              'application/json': {
                schema: { properties: { text: {}, kind: { enum: ['a', 'b'] } }, required: ['text'] },
              },
            },
          },
          responses: {
            201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } },
          },
        },
      },
    },
    components: {
      parameters: {},
      schemas: { Note: { properties: { id: {}, rows: { items: { properties: { x: {} } } } } } },
    },
  })
  const after = make()
  change(after)
  return breakingChanges(make(), after)
}

const post = (description: Description) =>
  description.paths['/notes']?.post as NonNullable<Description['paths'][string][string]>
const body = (description: Description) =>
  post(description).requestBody?.content?.['application/json']?.schema as {
    properties: Record<string, { enum?: string[] }>
    required: string[]
  }

describe('a change that breaks callers', () => {
  it.each<[string, (description: Description) => void, string]>([
    ['removes an operation', (d) => delete d.paths['/notes'], 'POST /notes is gone'],
    ['removes a parameter', (d) => (post(d).parameters = []), 'takes no parameter query colour'],
    ['needs a new field', (d) => body(d).required.push('kind'), 'cannot do without kind'],
    ['removes a field of a body', (d) => delete body(d).properties.text, 'takes no text'],
    ['removes an allowed value', (d) => body(d).properties.kind?.enum?.pop(), 'takes no b any more'],
    ['removes a field of an answer', (d) => delete d.components.schemas.Note?.properties?.id, 'has no id any more'],
    [
      'removes a field of a listed row',
      (d) => delete d.components.schemas.Note?.properties?.rows?.items?.properties?.x,
      'has no x',
    ],
  ])('is found when it %s', (_, change, sentence) => {
    expect(changed(change)).toEqual([expect.stringContaining(sentence)])
  })

  it('is not one that only adds', () => {
    expect(
      changed((description) => {
        body(description).properties.more = {}
        description.paths['/more'] = { get: { responses: {} } }
        if (description.components.schemas.Note?.properties) description.components.schemas.Note.properties.more = {}
      }),
    ).toEqual([])
  })
})

/** Changes that security needs: a key that invites a member hands on as much as it has. */
const WITHDRAWN = [
  'POST /invitations body.role takes no member any more',
  'POST /invitations body cannot do without role any more',
  'POST /invitations body cannot do without project_id any more',
]

it('what callers of release 0.3.0 rely on is still there, but for what security needs', () => {
  const changes = breakingChanges(read('test/releases/0.3.0/openapi.json'), read('docs/reference/openapi.json'))
  expect(changes).toEqual(WITHDRAWN)
})
