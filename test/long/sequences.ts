import fc from 'fast-check'
import type { FaultRule } from '../../local/faults.ts'

/** Action of an agent on one of the articles. */
export type Command = {
  kind: 'publish' | 'edit' | 'sync' | 'remove' | 'plan' | 'plan_later' | 'unplan'
  article: number
}

/**
 * Fault of the process that reaches a step first.
 *
 * It is killed with all others, or held until its leases have ended and an agent has acted.
 */
type Mishap = { kind: 'crash'; at: string } | { kind: 'stall'; at: string; meanwhile: Command[] }

/** Two agents act at once, while the receiver and the queue behave so, and perhaps a process meets with a mishap. */
export type Phase = {
  agents: [Command[], Command[]]
  mood: Record<string, unknown>
  queue: FaultRule | undefined
  mishap: Mishap | undefined
  cron: boolean
  /** Afterwards every lease and wait ends. */
  timePasses: boolean
}

export type Sequence = { publishingStatus: string; phases: Phase[] }

export const ARTICLES = 3

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('publish' as const) },
    { weight: 3, arbitrary: fc.constant('edit' as const) },
    { weight: 2, arbitrary: fc.constantFrom('plan' as const, 'sync' as const) },
    { weight: 1, arbitrary: fc.constantFrom('remove' as const, 'plan_later' as const, 'unplan' as const) },
  ),
  article: fc.nat(ARTICLES - 1),
})

const times = fc.integer({ min: 1, max: 4 })

const mood: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ mode: 'ok' }) },
  { weight: 3, arbitrary: fc.record({ mode: fc.constant('down'), times }) },
  { weight: 3, arbitrary: fc.record({ mode: fc.constant('close_after_read'), times }) },
  {
    weight: 1,
    arbitrary: fc.record({ mode: fc.constantFrom('close_before', 'empty', 'success_false', 'reject'), times }),
  },
  { weight: 1, arbitrary: fc.constant({ mode: 'slow', delay_ms: 40 }) },
)

const queue: fc.Arbitrary<FaultRule | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant({ repeat: 2 }) },
  { weight: 1, arbitrary: fc.constant({ reorder: 2 }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.constantFrom('before' as const, 'after' as const), times }) },
)

const commands = fc.array(command, { minLength: 1, maxLength: 3 })

const at = fc.constantFrom('claimed', 'answered', 'concluded', 'leased')

const mishap: fc.Arbitrary<Mishap | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stall' as const), at, meanwhile: commands }) },
)

const phase: fc.Arbitrary<Phase> = fc.record({
  agents: fc.tuple(commands, commands),
  mood,
  queue,
  mishap,
  cron: fc.boolean(),
  timePasses: fc.boolean(),
})

export const sequence: fc.Arbitrary<Sequence> = fc.record({
  publishingStatus: fc.constantFrom('Publish Immediately', 'Publish Immediately', 'Send as Drafts', 'Save as Drafts'),
  phases: fc.array(phase, { minLength: 1, maxLength: 4 }),
})

/** True if anything in the sequence can make an honest sender send one thing twice. */
export const isLossy = ({ phases }: Sequence): boolean =>
  phases.some((p) => p.mishap !== undefined || p.mood.mode === 'close_after_read' || p.mood.mode === 'success_false')
