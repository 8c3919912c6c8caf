import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { execute } from '../../../src/platform/jobs/executor.ts'
import { ACCOUNT_CLOSED, registryOf } from '../../../src/platform/jobs/job.ts'
import { systemDeps } from '../../publishing/system.ts'
import { newAccount, rowsIn } from '../../support/client.ts'
import { DEFINED_JOBS } from './defined.ts'
import { newOutboxRow, outboxRow } from './outbox-row.ts'

const stack = inject('stack')

/** Jobs that run for a closed account. Each states why at its definition: it sends nothing outside. */
const RUN_ANYWAY = [
  'approvals.follow',
  'archive.export_project',
  'archive.import_project',
  'effects.measure',
  'media.forget_pictures',
  'models.look',
  'pages.rekey',
  'people.erase_account',
  'people.erase_again',
  'people.export_account',
  'people.notices',
  'projects.erase',
  'providers.check',
  'publishing.words',
]

it('only these jobs run for a suspended or deleted account; every other one ends', () => {
  expect(DEFINED_JOBS.flatMap(({ name, endsWhenClosed }) => (endsWhenClosed ? [] : [name]))).toEqual(RUN_ANYWAY)
})

describe('of a suspended account', () => {
  it.each(DEFINED_JOBS)('$name ends without a run, unless it sends nothing outside', async (job) => {
    const { accountId } = await newAccount(stack)
    await rowsIn(stack, sql`update accounts set suspended_at = now() where id = ${accountId}::int`)
    const id = await newOutboxRow(stack, accountId, job.name)
    const seen: string[] = []
    const handler = {
      ...job,
      pace: undefined,
      run: async () => {
        seen.push('ran')
        return { kind: 'done' as const }
      },
      gaveUp: async (_: unknown, __: unknown, reason: string) => void seen.push(reason),
    }
    const { status } = await execute(
      systemDeps(stack),
      registryOf([handler]),
      JSON.stringify({ outbox_id: id }),
      () => {},
    )
    expect(status).toBe(200)
    expect(seen).toEqual([RUN_ANYWAY.includes(job.name) ? 'ran' : ACCOUNT_CLOSED])
    expect(await outboxRow(stack, id)).toMatchObject({ done: true, dead: false })
  })
})
