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
type Clocked = { scheduled?: (event: { scheduledTime: number }, env: unknown) => Promise<void> }
type Worker = { default: Entry & Clocked; internal?: Entry }

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

  it('the clock has the minute’s work done by the Worker’s own fetch handler, at an address that no caller has', async () => {
    for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    const { default: jobs } = await workerOf('jobs')
    const calls: string[] = []
    const answering = (status: number) => ({
      ...ENV,
      PLACED: {
        fetch: async (url: string, { body }: { body: string }) => {
          calls.push(`${url} ${body}`)
          return new Response(`answer ${status}`, { status })
        },
      },
    })
    const at = (status: number) => jobs.scheduled?.({ scheduledTime: 60_000 }, answering(status))
    await at(200)
    expect(calls).toEqual(['http://jobs/internal/minute 60000'])
    await expect(at(500)).rejects.toThrow('answer 500')
    // The release before has no such address: the clock does the work itself, here without a database.
    await expect(at(404)).rejects.toThrow('the minute')
    expect(await statusOf(jobs, 'http://jobs/internal/minute')).toBe(500)
    for (const host of ['https://api.example', 'http://127.0.0.1:8787', 'http://jobs.example'])
      expect(await statusOf(jobs, `${host}/internal/minute`), host).toBe(404)
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
