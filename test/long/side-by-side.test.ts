import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { deployOrder } from '../../local/workers.ts'
import { OPERATIONS } from '../../src/operations.ts'
import { newAccount, type Target } from '../support/client.ts'
import { buildReleaseBefore, type ReleaseBefore } from '../support/release-before.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

const ORDER = deployOrder(WORKERS).map(({ folder }) => folder)
const RECEIPT_WITHIN_MS = 60_000

type Answer = { status: number; body: Record<string, unknown>; text: string }
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/**
 * A deployment replaces Workers one after the other, callees first, and a rollback goes the same way back. After each step some
 * are of the release before and some of this one, on the tables of this one. Each of these states serves callers.
 */
describe('Workers of the release before beside those of this one', () => {
  let before: ReleaseBefore
  let stack: TestStack
  let older: readonly string[] = ORDER
  const target = (): Target => targetOf(stack)

  beforeAll(async () => {
    before = buildReleaseBefore()
    stack = await startTestStack({ older: () => ({ bundles: before.folder, folders: older }) })
  }, 240_000)
  afterAll(async () => {
    await stack?.close()
    before?.remove()
  })

  /** A new account's calls, without holding answers against what this release declares: the one before declared less. */
  const newCaller = async (): Promise<Call> => {
    const { key } = await newAccount(target())
    return async (method, path, body) => {
      const response = await fetch(`${stack.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, text }
    }
  }
  const expectStatus = async (status: number, answering: Promise<Answer>): Promise<Record<string, unknown>> => {
    const answer = await answering
    expect(answer.status, answer.text).toBe(status)
    return answer.body
  }
  const newProject = async (call: Call): Promise<number> => {
    const website_url = `https://${randomBytes(6).toString('hex')}.example`
    return (await expectStatus(201, call('POST', '/projects', { website_url }))).project_id as number
  }

  const receiptOf = async (call: Call, id: number): Promise<unknown> => {
    const until = Date.now() + RECEIPT_WITHIN_MS
    for (;;) {
      const { body } = await call('GET', `/articles/${id}`)
      if (body.Receipt || Date.now() > until) return body.Receipt
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** What callers do most: an article from its first word to its page, and an edit of it. */
  const goThrough = async (): Promise<void> => {
    const call = await newCaller()
    const project = await newProject(call)
    const receiver = { platform: 'webhook', url: `${stack.receiver.url}/webhook`, access_token: stack.receiverToken }
    await expectStatus(201, call('POST', `/projects/${project}/integrations`, receiver))
    const keyword = `side by side ${randomBytes(4).toString('hex')}`
    const content = '<h2>A heading</h2><p>Some words that are worth reading.</p>'
    const made = await expectStatus(201, call('POST', '/articles', { project_id: project, keyword, content }))
    const id = made.article_id as number
    const published = await expectStatus(200, call('POST', `/articles/${id}/publish`))
    await expectStatus(200, call('POST', `/articles/${id}/sync`, { content: `${content}<p>And more.</p>` }))
    expect(await receiptOf(call, id)).toMatchObject({ http_status: 200, title_found: true })
    expect(await (await fetch(String(published.url))).text()).toContain('And more.')
  }

  /** Every operation that only reads answers, whichever Worker it is: of a path it may not know, at worst that it does not. */
  const readEverything = async (): Promise<void> => {
    const call = await newCaller()
    const project = await newProject(call)
    for (const { method, path, group } of OPERATIONS) {
      if (method !== 'GET' || group === 'later') continue
      const { status, text } = await call('GET', path.replaceAll(/:\w+/g, String(project)))
      expect(status, `${path}: ${text}`).toBeLessThan(500)
    }
  }

  it.each(Array.from({ length: ORDER.length + 1 }, (_, at) => at))(
    'serve callers after %i Workers are replaced',
    async (at) => {
      older = ORDER.slice(at)
      await stack.crash()
      await stack.restart()
      await goThrough()
      await readEverything()
      await stack.workers().cron()
    },
  )
})
