import { expect, it } from 'vitest'
import { fillIn, SHOWN } from '../../scripts/docs/examples/names.ts'
import { EXAMPLES } from '../../scripts/docs/examples/requests.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { connectionForms } from '../../src/providers/publishing.ts'

/** Bodies of the reference, as readers copy them, with the schema that checks each. */
const BODIES = OPERATIONS.flatMap(({ id, json, attachment }) => {
  const { body } = EXAMPLES[id] ?? {}
  // The bytes of an attachment are read before its schema sees them.
  return body === undefined || json === undefined || attachment ? [] : [{ id, json, body: fillIn(body, SHOWN) }]
})

it.each(BODIES)('the example of $id passes its own check', ({ json, body }) => {
  const result = json.safeParse(body)
  expect(result.error?.issues ?? []).toEqual([])
})

it('the example of a WordPress site passes the check of its platform', () => {
  const [shown] = BODIES.filter(({ id }) => id === 'projects.cms_site')
  expect(connectionForms.wordpress?.fields.safeParse(shown?.body).error?.issues ?? []).toEqual([])
})
