import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it, vi } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { editingOperations } from '../../../src/publishing/live/operations.ts'
import { publishingOperations } from '../../../src/publishing/operations.ts'
import { AWAY_ENV, IDLE_CONTEXT } from '../../support/away.ts'

type Entry = { fetch: (request: Request, env: unknown, ctx: unknown) => Promise<Response> }

const FILE = pathToFileURL(join(ROOT, 'functions/publishing/index.ts')).href

const ENV = {
  ...AWAY_ENV,
  SECRETS_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  // The headers of another Worker's response cannot be changed, as here those of a redirect.
  ARTICLES: { fetch: async () => Response.redirect('https://articles.example/') },
}

// A Worker that another file's test loaded keeps the environment of that test.
beforeAll(() => vi.resetModules())

/** Returns true if the publishing Worker passes a call to the articles Worker. */
const isPassedOn = async ({ method, path }: { method: string; path: string }): Promise<boolean> => {
  const { default: worker } = (await import(/* @vite-ignore */ FILE)) as { default: Entry }
  const request = new Request(`https://api.example/api/v1${path.replace(/:\w+/g, '7')}`, { method })
  const { status, headers } = await worker.fetch(request, ENV, IDLE_CONTEXT)
  return status === 302 && headers.get('location') === 'https://articles.example/'
}

it('passes on edits, which the gateway of release 0.3.0 sends to the publishing Worker', async () => {
  for (const operation of Object.values(editingOperations))
    expect([operation.path, await isPassedOn(operation)]).toEqual([operation.path, true])
})

it('answers its own operations', async () => {
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  for (const operation of Object.values(publishingOperations))
    expect([operation.path, await isPassedOn(operation)]).toEqual([operation.path, false])
})
