import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { deployOrder } from '../../local/workers.ts'
import { fillIn } from '../../scripts/docs/examples/names.ts'
import { EXAMPLES } from '../../scripts/docs/examples/requests.ts'
import { type GroupedOperation, OPERATIONS } from '../../src/operations.ts'
import { openScene, type Scene } from '../docs/scene.ts'
import { callTool, connect } from '../mcp/client.ts'
import { holdAnswersAgainst } from '../support/answers.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject } from '../support/client.ts'
import { sharedOf } from '../support/global.ts'
import { buildReleaseBefore, type ReleaseBefore } from '../support/release-before.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const ORDER = deployOrder(WORKERS).map(({ folder }) => folder)
const RECEIPT_WITHIN_MS = 60_000

/** Returns the other Workers that a Worker calls. One that calls itself has one release. */
const calleesOf = (folder: string): string[] =>
  Object.values(WORKERS.find((one) => one.folder === folder)?.services ?? {}).filter((callee) => callee !== folder)

/** Returns the number of Workers in the longest chain of calls below a Worker. */
const depthOf = (folder: string): number => {
  const callees = calleesOf(folder)
  return callees.length === 0 ? 0 : 1 + Math.max(...callees.map(depthOf))
}

const DEPTHS = [...new Set(ORDER.map(depthOf))].sort((a, b) => a - b)

/** Pairs of five. No pair contains another, so that each of two depths is newer than the other in some mixture. */
const MIXTURES = [0, 1, 2, 3, 4]
const PAIRS = MIXTURES.flatMap((first) => MIXTURES.filter((n) => n > first).map((second) => [first, second]))

/** Returns the Workers of the release before in a mixture: those of one depth are all of one release. */
const olderIn = (mixture: number): string[] =>
  ORDER.filter((folder) => {
    const pair = PAIRS[depthOf(folder)]
    if (!pair) throw new Error(`${folder} stands deeper than there are pairs of mixtures`)
    return !pair.includes(mixture)
  })

/**
 * A deployment replaces Workers one after the other, callees first, and a rollback goes the same way back. After each step some
 * are of the release before and some of this one, on the tables of this one. Each of these states serves callers.
 */
describe('Workers of the previous release beside those of this one', () => {
  let before: ReleaseBefore
  let stack: TestStack
  let older: readonly string[] = ORDER

  beforeAll(async () => {
    before = await buildReleaseBefore()
    // An operation answers as the release of its Worker declares.
    holdAnswersAgainst((operation) => (older.includes(workerOf(operation)) ? before.answerSchemas : undefined))
    const { bundles, workers } = before
    stack = await startTestStack({ older: () => ({ bundles, workers, folders: older }) })
  }, 240_000)
  afterAll(async () => {
    await stack?.close()
    before?.remove()
  })

  /** Returns the Worker that the gateway which serves asks; an operation may have moved to one that the release before has not. */
  const workerOf = ({ id, worker }: GroupedOperation): string => {
    const then = before.workerOf.get(id) ?? worker
    return older.includes('gateway') && older.includes(then) ? then : worker
  }

  const serveWith = async (folders: readonly string[]): Promise<void> => {
    older = folders.filter((folder) => before.workers.some((one) => one.folder === folder))
    await stack.crash()
    await stack.restart()
  }

  const receiptOf = async (api: Api, id: number): Promise<unknown> => {
    const until = Date.now() + RECEIPT_WITHIN_MS
    for (;;) {
      const { body } = await api.get(`/articles/${id}`)
      if (body.Receipt || Date.now() > until) return body.Receipt
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** Makes the most frequent calls: an article from its first word to its page, and an edit of it. */
  const goThrough = async (): Promise<void> => {
    const shared = sharedOf(stack)
    const api = await newAccount(shared)
    const project = await newProject(api)
    await connectReceiver(api, project, shared.receiverUrl, shared.receiverToken)
    const keyword = `side by side ${randomBytes(4).toString('hex')}`
    const content = '<h2>A heading</h2><p>Some words that are worth reading.</p>'
    const id = await newArticle(api, project, { keyword, content })
    const published = await api.post(`/articles/${id}/publish`)
    expect([published.status, published.body.status], published.text).toEqual([200, 'published'])
    const synced = await api.post(`/articles/${id}/sync`, { content: `${content}<p>And more.</p>` })
    expect(synced.status, synced.text).toBe(200)
    expect(await receiptOf(api, id)).toMatchObject({ http_status: 200, title_found: true })
    expect(await (await fetch(String(published.body.url))).text()).toContain('And more.')
  }

  // Workers of one depth do not call each other; each pair that calls is met in both orders in the mixtures below.
  it.each(DEPTHS)('serve callers after all Workers with fewer than %i below them are replaced', async (depth) => {
    await serveWith(ORDER.filter((folder) => depthOf(folder) >= depth))
    await goThrough()
    await stack.workers().cron()
  })

  it('are mixed so that of any two that call each other, each is once the newer', () => {
    const isOlder = (mixture: number, folder: string): boolean => olderIn(mixture).includes(folder)
    for (const { folder } of WORKERS)
      for (const callee of calleesOf(folder)) {
        const name = `${folder} and ${callee}`
        expect(
          MIXTURES.some((n) => isOlder(n, folder) && !isOlder(n, callee)),
          name,
        ).toBe(true)
        expect(
          MIXTURES.some((n) => !isOlder(n, folder) && isOlder(n, callee)),
          name,
        ).toBe(true)
      }
  })

  /**
   * Calls the example of each operation. Returns the operations that a Worker or a provider temporarily refused.
   *
   * An older Worker calls providers as its release did, and the stand-ins refuse what providers refuse today. Examples
   * of one group depend on each other, so those after a refused one wait too.
   */
  const callEverything = async ({ api, names }: Scene, ids: readonly string[]): Promise<string[]> => {
    const refused: string[] = []
    const waiting = new Set<string>()
    for (const id of ids) {
      const group = id.slice(0, id.indexOf('.'))
      if (waiting.has(group)) {
        refused.push(id)
        continue
      }
      const operation = OPERATIONS.find((one) => one.id === id)
      const example = EXAMPLES[id]
      if (!operation || !example) throw new Error(`There is no example of ${id}.`)
      const body = fillIn(example.body, names)
      const path = String(fillIn(example.path, names))
      const answer = await api.call(operation.method, path, body === undefined ? {} : { body })
      const isRefusedByProvider = older.length > 0 && answer.body.upstream !== undefined
      if (isRefusedByProvider) waiting.add(group)
      // The older gateway calls a Worker that no longer has an operation, which passes the call on to one that does not have it yet.
      const isNotThereYet = answer.body.code === 'unknown_path' && older.includes(operation.worker)
      // Edits moved from publishing to articles. An older suggestions Worker takes an edit that neither has for a change of the article.
      const isMovedAway =
        answer.body.code === 'changed_since_staged' && older.includes('articles') && !older.includes('publishing')
      if (isMovedAway) continue
      if (isRefusedByProvider || isNotThereYet || answer.body.code === 'unavailable') refused.push(id)
      else expect(answer.status, `${id}: ${answer.text}`).toBeLessThan(300)
    }
    return refused
  }

  /**
   * A Worker may need work that an older one cannot do yet. Then it refuses the call temporarily, which no deployment
   * or rollback causes.
   *
   * After the older Worker was replaced, the same call succeeds.
   */
  it.each(MIXTURES)(
    'answer every operation as the release of its Worker declares it, in mixture %i',
    async (mixture) => {
      await serveWith([])
      const scene = await openScene(sharedOf(stack))
      try {
        await serveWith(olderIn(mixture))
        const refused = await callEverything(
          scene,
          Object.keys(EXAMPLES).filter((id) => before.answerSchemas.has(id)),
        )
        const client = await connect(stack.url, scene.api.key)
        expect(await callTool(client, 'list_projects')).toMatchObject({ isError: false })
        await client.close()
        await stack.workers().cron()
        if (refused.length > 0) await serveWith([])
        expect(await callEverything(scene, refused)).toEqual([])
      } finally {
        await scene.close()
      }
    },
  )
})
