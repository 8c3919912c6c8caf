import { beforeAll, describe, expect, inject, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { type Api, newAccount } from '../support/client.ts'
import {
  ABOUT,
  bodyOf,
  changesSince,
  expectError,
  named,
  newThings,
  pathOf,
  pathTo,
  stateOf,
  type Things,
} from '../support/contract.ts'
import { manyKeys } from '../support/keys.ts'

const stack = inject('stack')

let owner: Api
let things: Things
let secret: string
let outsider: Api
let before: Awaited<ReturnType<typeof stateOf>>

beforeAll(async () => {
  owner = await newAccount(stack, {}, scopesOf('admin'))
  things = await newThings(owner, stack)
  const { body } = await owner.get(`/projects/${things.project}`)
  secret = new URL(String((body.project as { WebsiteUrl: string }).WebsiteUrl)).hostname
  outsider = manyKeys(stack, await newAccount(stack, {}, scopesOf('admin')), scopesOf('admin'))
  before = await stateOf(stack, owner.accountId)
})

/** Fields by which a call names things, with the ids of another account's things. */
const NAMED: Readonly<Record<string, (of: Things) => number | string>> = {
  project_id: ({ project }) => project,
  article_id: ({ article }) => article,
  integration_id: ({ integration }) => integration,
  delivery_id: ({ delivery }) => delivery,
  campaign_id: ({ campaign }) => campaign,
  key_id: ({ key }) => key,
  export_id: (of) => of.export,
}

const namedIn = (schema: Operation['query']): string[] => {
  const { shape = {} } = (schema?._zod.def ?? {}) as { shape?: object }
  return Object.keys(shape).filter((name) => name in NAMED)
}

/** True if the path itself leads to a thing of an account's. */
const isAbout = ({ path }: Operation): boolean => ABOUT.test(path) || path.includes(':campaign_id')

type Reach = { path: string; body: Record<string, unknown> | undefined }

/** Returns a body without a field that is named in the query: the two may not differ. */
const without = (body: Reach['body'], name: string): Reach['body'] => {
  const { [name]: _, ...others } = body ?? {}
  return body && others
}

/** Returns a body for a field that names a thing. Undoing takes a key with a time, or else a request. */
const bodyFor = (op: Operation, name: string): Reach['body'] =>
  name === 'key_id' ? { since: '2020-01-01T00:00' } : bodyOf(op, things.project)

/** Returns every way in which a call of the operation can name something of the owner's. */
const reachesOf = (op: Operation): Reach[] => {
  const own = isAbout(op) ? pathTo(op, things) : pathOf(op)
  const plain = pathOf(op, 1).split('?')[0] ?? ''
  return [
    ...(isAbout(op) ? [{ path: own, body: bodyOf(op, things.project) }] : []),
    ...namedIn(op.query).map((name) => {
      const query = new URLSearchParams(pathTo(op, things).split('?')[1] ?? '')
      query.set(name, String(NAMED[name]?.(things)))
      return { path: `${isAbout(op) ? own.split('?')[0] : plain}?${query}`, body: without(bodyOf(op), name) }
    }),
    ...namedIn(op.json).map((name) => ({
      path: namedIn(op.query).includes(name) ? (own.split('?')[0] ?? '') : own,
      body: { ...bodyFor(op, name), [name]: NAMED[name]?.(things) },
    })),
  ]
}

/** Parameters of lists that name a row: the page after it, or only what belongs to it. */
const FILTERS = ['before_id', 'earned_before_id', 'scheduled_before_id', 'after', 'article_id', 'scan_id', 'prompt_id']

const filtersOf = ({ query }: Operation): string[] => {
  const { shape = {} } = (query?._zod.def ?? {}) as { shape?: object }
  return Object.keys(shape).filter((name) => FILTERS.includes(name) && !(name in NAMED))
}

describe.each(named(OPERATIONS.filter((op) => filtersOf(op).length > 0)))('the list %s', (_, op) => {
  it('shows nothing of another account for ids of its rows', async () => {
    const own = await newThings(outsider, stack)
    const [path = '', query = ''] = pathTo(op, own).split('?')
    for (const name of filtersOf(op))
      for (const id of new Set(Object.values(things).map((one) => Number(one) || 1))) {
        const given = new URLSearchParams(query)
        given.set(name, String(id))
        const { status, text } = await outsider.get(`${path}?${given}`)
        expect([200, 400, 404], `${name}=${id}: ${text.slice(0, 200)}`).toContain(status)
        expect(text).not.toContain(secret)
      }
  })
})

describe.each(named(OPERATIONS))('%s', (_, op) => {
  it('shows and changes nothing of another account', async () => {
    for (const { path, body } of reachesOf(op)) {
      const answer = await outsider.call(op.method, path, { body })
      const what = `${op.method} ${path}: ${answer.text.slice(0, 300)}`
      expect(['forbidden', 'not_found'], what).toContain(answer.body.code)
      expectError(answer, answer.body.code as 'forbidden')
      expect(answer.text).not.toContain(secret)
    }
    // A call that names nothing reports only on the caller's own account.
    const own = await outsider.call(op.method, pathOf(op), { body: bodyOf(op) })
    expect(own.text).not.toContain(secret)
    expect(await changesSince(before, stack, owner.accountId)).toEqual([])
  })
})
