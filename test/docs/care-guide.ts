import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { signInAsOwner } from '../accounts/people/browser.ts'
import { type Api, newAccount, rowsIn } from '../support/client.ts'
import type { SharedStack } from '../support/global.ts'
import { type Block, blocksIn, openFolder, runBlocks } from './reader.ts'

/** Old and new price of the guide, as its sentence has them. */
export const PRICES = { before: '4.50', after: '4.80' } as const

/** The guide's sentence. Posts that have it are in the set. */
export const SENTENCE = `A loaf costs ${PRICES.before} euros`

/** What the service knows of the guide's work: states of adoption and set, and how many changes are in each state. */
export type Progress = {
  account: number
  project: number | null
  adoption: string | null
  set: number | null
  state: string | null
  sent: number
  reverted: number
}

const progressOf = async (stack: SharedStack, { accountId }: Api): Promise<Progress> => {
  const [row] = await rowsIn<Omit<Progress, 'account'>>(
    stack,
    sql`select (select id from projects where account_id = ${accountId}::int order by id desc limit 1) as project,
      (select state from adoptions where account_id = ${accountId}::int order by id desc limit 1) as adoption,
      set.id as "set", set.state,
      (select count(*)::int from changes where set_id = set.id and state in ('sent', 'reverting')) as sent,
      (select count(*)::int from changes where set_id = set.id and state = 'reverted') as reverted
      from (select 1) one left join change_sets set on set.account_id = ${accountId}::int order by set.id desc limit 1`,
  )
  if (!row) throw new Error('no progress')
  return { account: accountId, ...row }
}

const PAUSE_MS = 200
/** Longest time that the blocks may take. */
const MOST_MS = 30 * 60_000

/** What happens beside the guide. */
type Beside = {
  /** Sees the progress again and again, and may disturb the work. */
  watch?: (progress: Progress) => Promise<void>
  /** Looks at the site between release and revert. */
  released?: () => Promise<void>
}

/** Lets the guide wait for the look at the released set. */
const LOOK: Block = { language: 'sh', text: 'until [ -e looked ]; do sleep 0.2; done' }

/**
 * Runs the blocks of docs/guides/old-posts.md from top to bottom as an agent of a new account, at a site of one’s own. A person approves
 * what waits. Returns what the service knows at the end, and what the blocks printed. `connection` is the body that connects the site.
 */
export const runCareGuide = async (
  stack: SharedStack,
  connection: Record<string, unknown>,
  { watch, released }: Beside = {},
): Promise<{ api: Api; end: Progress; out: string }> => {
  const api = await newAccount(stack, { plan: 'agentic' })
  const { person } = await signInAsOwner(stack, api)
  const text = await (await fetch(`${stack.url}/docs/guides/old-posts.md`)).text()
  const example = /'\{\s*"platform"[^']*\}'/
  expect(text).toMatch(example)
  const own = text.replace(example, () => `'${JSON.stringify(connection)}'`)
  const blocks = blocksIn(own)
  const revert = blocks.findIndex(({ text }) => text.includes('run revert reverted'))
  expect(revert).toBeGreaterThan(0)
  const folder = await openFolder()
  let hasLooked = false
  let isOver = false
  const approve = async ({ project }: Progress) => {
    const waiting = await rowsIn<{ id: number }>(
      stack,
      sql`select id from approvals where account_id = ${api.accountId}::int and status = 'awaiting'`,
    )
    for (const { id } of waiting) await person.post(`/p/${project}/approvals/${id}/decide`, { decision: 'approve' })
  }
  const accompany = async () => {
    while (!isOver) {
      const progress = await progressOf(stack, api)
      await approve(progress)
      await watch?.(progress)
      if (progress.state === 'released' && !hasLooked) {
        hasLooked = true
        await released?.()
        writeFileSync(join(folder.path, 'looked'), '')
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  try {
    const running = runBlocks(blocks.toSpliced(revert, 0, LOOK), folder.path, stack, api.key, MOST_MS).finally(() => {
      isOver = true
    })
    const [{ code, out, err }] = await Promise.all([running, accompany()])
    expect(code, `${out}\n${err}`).toBe(0)
    return { api, end: await progressOf(stack, api), out }
  } finally {
    isOver = true
    folder.close()
  }
}
