import { expect, test } from 'vitest'
import { steppedStack } from '../faults/stepped-stack.ts'
import { cron, flush, heal, openScene, passTime, passTimeAtRest, type Scene, write } from '../publishing/scene.ts'
import { tell } from '../support/client.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'
import { expectAtRest } from './invariants.ts'
import { ARTICLES, type Command, isLossy, type Phase, type Sequence, sequence } from './sequences.ts'

const { steps, stack, access } = steppedStack(1_000)

const LATER = '2099-01-05T09:00:00Z'
const PAST = '2026-01-05T09:00:00Z'

let edits = 0

/** Runs a command. A call that a crash interrupts counts as unanswered. */
const act = async (scene: Scene, ids: readonly number[], { kind, article }: Command, told: Set<number>) => {
  const id = ids[article] ?? 0
  const path = `/articles/${id}`
  edits += 1
  const calls = {
    publish: () => scene.publish(id),
    edit: () => scene.api.put(path, { content: `<p>Words of edit ${edits}.</p>` }),
    sync: () => scene.api.post(`${path}/sync`, { content: `<p>Words of edit ${edits}.</p>` }),
    remove: () => scene.api.del(path),
    plan: () => scene.api.put(path, { status: 'Planned', scheduled_date: PAST }),
    plan_later: () => scene.api.put(path, { status: 'Planned', scheduled_date: LATER }),
    unplan: () => scene.api.put(path, { scheduled_date: null }),
  }
  const answer = await calls[kind]().catch(() => undefined)
  if (answer === undefined) return
  expect([200, 202, 400, 404, 409, 502], `${kind} ${id}: ${answer.text}`).toContain(answer.status)
  if (kind === 'publish' && answer.status === 200) told.add(id)
}

const actAll = async (scene: Scene, ids: readonly number[], commands: readonly Command[], told: Set<number>) => {
  for (const command of commands) await act(scene, ids, command, told)
}

const perform = async (scene: Scene, ids: readonly number[], phase: Phase, told: Set<number>): Promise<void> => {
  await scene.mood(phase.mood)
  await tell(access.qstashUrl, '/_delivery_faults', phase.queue)
  const { mishap } = phase
  const reached = mishap && steps.stopAt(mishap.at)
  const work = Promise.all([
    ...phase.agents.map((commands) => actAll(scene, ids, commands, told)),
    phase.cron ? cron(access).catch(() => {}) : undefined,
  ]).then(() => flush(access, true))
  if (mishap) {
    const isHeld = await Promise.race([reached?.then(() => true), work.then(() => false)])
    if (mishap.kind === 'crash') await stack.crash()
    else if (isHeld) {
      await passTime(scene)
      await actAll(scene, ids, mishap.meanwhile, told)
    }
    steps.letGo()
    if (mishap.kind === 'crash') await stack.restart()
  }
  await work
  if (phase.timePasses) await passTimeAtRest(scene)
}

const runSequence = async (given: Sequence): Promise<void> => {
  const scene = await openScene(access, { publishing_status: given.publishingStatus })
  try {
    const told = new Set<number>()
    const ids: number[] = []
    for (let n = 0; n < ARTICLES; n += 1) ids.push(await write(scene))
    for (const phase of given.phases) await perform(scene, ids, phase, told)
    await scene.mood({ mode: 'ok' })
    await tell(access.qstashUrl, '/_delivery_faults')
    await heal(scene)
    await expectAtRest(scene, told, !isLossy(given))
  } finally {
    steps.letGo()
    await scene.receiver.close()
  }
}

test(
  'random sequences: nothing lost, nothing twice, nothing stuck',
  async () => {
    await holdFor(sequence, runSequence)
  },
  SEQUENCES_MS + 240_000,
)
