import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { accessOf, type StackAccess } from '../publishing/scene.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'
import { writeArticle } from './policy/articles.ts'
import { type Burst, burst, runBurst } from './policy/bursts.ts'
import { passTime, unplan } from './policy/clock.ts'
import { connectNetwork } from './policy/posts.ts'
import { policySequence, type Round } from './policy/sequences.ts'
import { takeAll } from './policy/steps.ts'
import { openTenant } from './policy/tenant.ts'
import { newWorld } from './policy/world.ts'

/** The same sequences each time; SEED asks for others. */
const SEED = Number(process.env.SEED ?? 20_261_126)
/** STEPS asks for that many instead of as many as the time allows. */
const STEPS = process.env.STEPS === undefined ? undefined : Number(process.env.STEPS)

/** Steps of one sequence, at the least on average. */
const STEPS_OF_ONE = 45
/** Time for as many steps as STEPS asks for, ms. */
const STEPS_MS = 3_600_000

/** Time for a stack to start, on a machine that is busy, ms. */
const START_MS = 400_000

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1 })
  access = accessOf(stack)
}, START_MS)
afterAll(() => stack?.close())

let steps = 0

const runSequence = async (rounds: Round[]): Promise<void> => {
  const world = newWorld(stack, access)
  const tenants = await Promise.all([openTenant(stack, access), openTenant(stack, access)])
  const [one, other] = tenants
  if (!one || !other) return
  try {
    for (const tenant of tenants) await connectNetwork(tenant)
    for (const tenant of tenants)
      for (const site of tenant.sites)
        for (const place of site.articles.keys()) await writeArticle(tenant, site, place, 'write')
    for (const { tenants: given, hours } of rounds) {
      await Promise.all([takeAll(world, one, other, given[0]), takeAll(world, other, one, given[1])])
      steps += given[0].length + given[1].length + 1
      world.trace.push(`clock ${hours}`)
      await passTime(world, tenants, hours)
    }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.stack : error}\n${world.trace.join('\n')}`)
  } finally {
    await Promise.all(tenants.map(({ close }) => close()))
    for (const tenant of tenants) await unplan(world, tenant)
  }
}

test(
  'random calls, persons and clocks: forbidden work is never sent, allowed work once',
  async () => {
    await holdFor(policySequence, runSequence, {
      seed: SEED,
      ...(STEPS === undefined
        ? { limitMs: SEQUENCES_MS, least: 1 }
        : { limitMs: STEPS_MS, runs: Math.ceil(STEPS / STEPS_OF_ONE) }),
    })
    process.stdout.write(`${steps} steps held\n`)
  },
  (STEPS === undefined ? SEQUENCES_MS : STEPS_MS) + 120_000,
)

test(
  'calls at once never pass the maximum of a day, and none goes out after a freeze',
  async () => {
    const tenants = await Promise.all([openTenant(stack, access), openTenant(stack, access)])
    let bursts = 0
    const world = newWorld(stack, access)
    const both = fc.tuple(burst, burst)
    await holdFor(
      both,
      async (given) => {
        bursts += 2
        await Promise.all(tenants.map((tenant, n) => runBurst(world, tenant, given[n] as Burst)))
      },
      {
        seed: SEED,
        ...(STEPS === undefined ? { limitMs: SEQUENCES_MS / 3, least: 2 } : { limitMs: STEPS_MS, runs: 150 }),
      },
    )
    await Promise.all(tenants.map(({ close }) => close()))
    process.stdout.write(`${bursts} bursts held\n`)
  },
  (STEPS === undefined ? SEQUENCES_MS : STEPS_MS) + 120_000,
)
