import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { GROUPS, type Group } from '../../../src/operations.ts'

type Worker = { fetch: (request: never, env: never, ctx: never) => unknown }

/** Returns a Worker's entry as it is deployed. */
const entryOf = async (name: string): Promise<Worker> => {
  const file = pathToFileURL(join(ROOT, 'functions', name, 'index.ts')).href
  return ((await import(/* @vite-ignore */ file)) as { default: Worker }).default
}

const MOVED: [name: string, groups: { stays: Group; moved: Group[] }][] = [
  ['publishing', { stays: 'publishing', moved: ['editing'] }],
]

const ENV = Object.fromEntries(
  ['editing', 'editing_internal'].map((name) => [name.toUpperCase(), { fetch: async () => new Response(name) }]),
)

/** Returns the Worker that answers: one that another was handed on to says its name and no more. Without settings the first one fails. */
const answering = async (name: string, path: string): Promise<string> => {
  const request = new Request(new URL(path, 'https://api.example'), { method: 'POST' })
  const asked = async () => (await (await entryOf(name)).fetch(request as never, ENV as never, {} as never)) as Response
  const text = await asked().then(
    (answer) => answer.text(),
    () => '',
  )
  return text.toUpperCase() in ENV ? text : 'own'
}

const pathsOf = (group: Group): string[] =>
  GROUPS[group].domains.flatMap(({ operations }) =>
    Object.values(operations).map(({ path }) => `/api/v1${path.replace(/:\w+/g, '7')}`),
  )

describe.each(MOVED)('%s', (name, { stays, moved }) => {
  it('forwards moved operations to their Worker, for callers of the previous release', async () => {
    for (const group of moved)
      for (const path of pathsOf(group)) expect([path, await answering(name, path)]).toEqual([path, group])
  })

  it('answers its own operations', async () => {
    for (const path of pathsOf(stays)) expect([path, await answering(name, path)]).toEqual([path, 'own'])
  })
})

it('internal calls of the previous release are forwarded, too', async () => {
  expect(await answering('publishing', 'http://publishing/internal/sync')).toBe('editing_internal')
  expect(await answering('publishing', '/internal/sync')).toBe('own')
})
