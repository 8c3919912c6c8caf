import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { WORKERS } from '../../../local/bundle.ts'
import { ROOT } from '../../../local/root.ts'
import { TOKEN_KEY_PATH } from '../../../src/accounts/oauth/paths.ts'
import { SESSION_PATH } from '../../../src/pages/session.ts'
import { OFFER_URL } from '../../../src/platform/runtime/deps.ts'
import { AWAY_ENV, IDLE_CONTEXT } from '../../support/away.ts'

type Entry = { fetch: (request: Request, env: unknown, ctx: unknown) => Promise<Response> }
type Worker = { default: Entry; internal?: Entry }

const ENV = {
  ...AWAY_ENV,
  SECRETS_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  MAIL_API_URL: 'http://127.0.0.1:1',
  MAIL_API_KEY: 'none',
  MAIL_FROM: 'galley@example.com',
  QSTASH_URL: 'http://127.0.0.1:1',
  QSTASH_TOKEN: 'none',
  QSTASH_CURRENT_SIGNING_KEY: 'sig_none',
  QSTASH_NEXT_SIGNING_KEY: 'sig_none',
}

// A Worker that another file's test loaded keeps the environment of that test.
beforeAll(() => vi.resetModules())

/** Returns a Worker as it is deployed. */
const workerOf = async (name: string): Promise<Worker> =>
  (await import(/* @vite-ignore */ pathToFileURL(join(ROOT, 'functions', name, 'index.ts')).href)) as Worker

const statusOf = async (entry: Entry | undefined, url: string): Promise<number | undefined> => {
  const headers = { 'content-type': 'application/json' }
  const request = new Request(url, { method: 'POST', headers, body: '{"token":"none"}' })
  return (await entry?.fetch(request, ENV, IDLE_CONTEXT))?.status
}

/** Paths that only Workers call. The database is away, so an answer that needs it is a failure, and no 404. */
const INNER: [worker: string, path: string, status: number][] = [
  ['pages', SESSION_PATH, 200],
  ['oauth', TOKEN_KEY_PATH, 200],
  ['jobs', new URL(OFFER_URL).pathname, 500],
]

describe('internal entrypoints', () => {
  it.each(INNER)('of %s has no path: %s answers at the internal entrypoint alone', async (name, path, status) => {
    for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    const { default: open, internal } = await workerOf(name)
    expect(await statusOf(internal, `http://${name}${path}`)).toBe(status)
    for (const host of ['https://api.example', 'http://127.0.0.1:8787'])
      for (const before of ['', '/', '/sign-in/..', '/api/v1/..'])
        expect([host, before, await statusOf(open, `${host}${before}${path}`)]).toEqual([host, before, 404])
  })

  it('are not bound to a Worker that passes callers’ requests on', () => {
    const gateway = WORKERS.find(({ folder }) => folder === 'gateway')
    expect(gateway?.entrypoints).toEqual({})
  })

  it('exist for each binding to a named entrypoint', async () => {
    for (const { folder, services, entrypoints } of WORKERS)
      for (const [binding, entrypoint] of Object.entries(entrypoints)) {
        const callee = services[binding] ?? expect.fail(`${folder} has no ${binding}`)
        expect(await workerOf(callee), `${folder}: ${binding}`).toHaveProperty(entrypoint)
      }
  })
})
