import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { readPolicyForm } from '../../../src/accounts/policy/change.ts'
import { ruleFor } from '../../../src/accounts/policy/parts.ts'
import { rowsIn } from '../../support/client.ts'

const stack = inject('stack')

type Row = Partial<{
  frozen: boolean
  needs_approval: string
  max_publications_per_day: number
  quiet_from: string
  quiet_to: string
  allowed_targets: readonly string[]
  timezone: string
}>

/** Returns the rule of a policy that forbids it at an instant, as a claim asks for it. */
const ruleOf = async (row: Row, at: string, more: Partial<Parameters<typeof ruleFor>[0]> = {}): Promise<unknown> => {
  const text = (value: unknown): SQL => sql`${value ?? null}::text`
  const asked = ruleFor({ activity: 'sync', now: new Date(at), target: 'ghost', ...more })
  const allowed = row.allowed_targets ? sql.param([...row.allowed_targets]) : null
  const [found] = await rowsIn<{ rule: unknown }>(
    stack,
    sql`with accounts as (select 0 as id, null::timestamptz as suspended_at)
      select ${asked} as rule from (select 0 as id, 0 as account_id, 'UTC' as timezone) as projects, (select 0 as project_id, ${row.timezone ?? 'UTC'}::text as timezone,
      ${row.frozen ?? false}::boolean as frozen, ${row.needs_approval ?? 'off'}::text as needs_approval, true as approve_adopted,
      ${row.max_publications_per_day ?? null}::int as max_publications_per_day, ${text(row.quiet_from)} as quiet_from,
      ${text(row.quiet_to)} as quiet_to, ${allowed}::text[] as allowed_targets, null::int as monthly_crowdwork_cents) as policies`,
  )
  return found?.rule
}

describe('quiet hours', () => {
  const day = { quiet_from: '09:00', quiet_to: '17:00' }
  const night = { quiet_from: '22:00', quiet_to: '07:00' }
  const berlin = { ...night, timezone: 'Europe/Berlin' }
  /** From 02:30, which the clock leaves out in spring and shows twice in autumn. */
  const change = { quiet_from: '01:00', quiet_to: '02:30', timezone: 'Europe/Berlin' }
  it.each([
    ['before they begin', day, '2026-11-25T08:59:59Z', null],
    ['as they begin', day, '2026-11-25T09:00:00Z', 'quiet_hours'],
    ['in their last minute', day, '2026-11-25T16:59:59Z', 'quiet_hours'],
    ['as they end', day, '2026-11-25T17:00:00Z', null],
    ['across midnight, before', night, '2026-11-25T23:59:00Z', 'quiet_hours'],
    ['across midnight, at it', night, '2026-11-26T00:00:00Z', 'quiet_hours'],
    ['across midnight, after', night, '2026-11-26T06:59:00Z', 'quiet_hours'],
    ['across midnight, over', night, '2026-11-26T07:00:00Z', null],
    ['by the clock of the zone in winter', berlin, '2026-11-25T21:00:00Z', 'quiet_hours'],
    ['which is another instant in summer', berlin, '2026-07-25T20:00:00Z', 'quiet_hours'],
    ['and not before', berlin, '2026-11-25T20:59:00Z', null],
    ['in spring, before the clock goes forward', change, '2026-03-29T00:59:00Z', 'quiet_hours'],
    ['in spring, when it shows 03:00', change, '2026-03-29T01:00:00Z', null],
    ['in autumn, at 02:29 for the first time', change, '2026-10-25T00:29:00Z', 'quiet_hours'],
    ['in autumn, at 02:30 for the first time', change, '2026-10-25T00:30:00Z', null],
    ['in autumn, at 02:15 again', change, '2026-10-25T01:15:00Z', 'quiet_hours'],
    ['in autumn, at 02:30 again', change, '2026-10-25T01:30:00Z', null],
  ])('%s', async (_, row, at, rule) => {
    expect(await ruleOf(row, at)).toBe(rule)
  })
})

describe('rules', () => {
  const AT = '2026-11-25T12:00:00Z'
  it.each<[string, Row, Partial<Parameters<typeof ruleFor>[0]>, unknown]>([
    ['an open policy forbids nothing', {}, {}, null],
    ['frozen comes first', { frozen: true, allowed_targets: [], quiet_from: '11:00', quiet_to: '13:00' }, {}, 'frozen'],
    ['a target that is not allowed', { allowed_targets: ['wordpress'] }, {}, 'allowed_targets'],
    ['one that is', { allowed_targets: ['wordpress', 'ghost'] }, {}, null],
    ['no target is allowed', { allowed_targets: [] }, {}, 'allowed_targets'],
    ['one of several is not', { allowed_targets: ['ghost'] }, { target: ['ghost', 'x'] }, 'allowed_targets'],
    ['all of several are', { allowed_targets: ['ghost', 'x'] }, { target: ['ghost', 'x'] }, null],
    ['a place before a time', { allowed_targets: [], quiet_from: '11:00', quiet_to: '13:00' }, {}, 'allowed_targets'],
    [
      'none may go live',
      { max_publications_per_day: 0 },
      { activity: 'publish', articleId: 0 },
      'max_publications_per_day',
    ],
    ['a draft takes no place', { max_publications_per_day: 0 }, { activity: 'publish', isSettled: true }, null],
    ['a change takes no place', { max_publications_per_day: 0 }, {}, null],
    [
      'what was never live needs an approval',
      { needs_approval: 'first' },
      { activity: 'publish', articleId: 0 },
      'needs_approval',
    ],
    ['a change needs none at first', { needs_approval: 'first' }, {}, null],
    ['and needs one each time', { needs_approval: 'every' }, {}, 'needs_approval'],
    ['taking down needs none', { needs_approval: 'every' }, { activity: 'unpublish' }, null],
    ['what is approved may go', { needs_approval: 'every' }, { isApproved: sql`true` }, null],
  ])('%s', async (_, row, more, rule) => {
    expect(await ruleOf(row, AT, more)).toBe(rule)
  })
})

describe('the form', () => {
  const OPEN = { needs_approval: 'off' }
  it('reads every clause', () => {
    const { clauses, wrong } = readPolicyForm({
      needs_approval: 'first',
      max_publications_per_day: ' 3 ',
      quiet_from: '22:00',
      quiet_to: '07:00',
      limit_targets: 'yes',
      target_ghost: 'yes',
      target_bluesky: 'yes',
      monthly_article_credits: '10',
      monthly_crowdwork_dollars: '12.50',
      frozen: 'yes',
      timezone: ' europe/berlin ',
    })
    expect([clauses, wrong]).toEqual([
      {
        needs_approval: 'first',
        approve_adopted: false,
        max_publications_per_day: 3,
        quiet_hours: { from: '22:00', to: '07:00' },
        allowed_targets: ['ghost', 'bluesky'],
        monthly_budget: { article_credits: 10, crowdwork_dollars: 12.5 },
        frozen: true,
        timezone: 'Europe/Berlin',
      },
      [],
    ])
    expect(readPolicyForm({ ...OPEN, limit_targets: 'yes' }).clauses.allowed_targets).toEqual([])
    expect(readPolicyForm({ ...OPEN, target_ghost: 'yes' }).clauses.allowed_targets).toBeNull()
  })

  it.each([
    [{ max_publications_per_day: '1.5' }, ['max_publications_per_day']],
    [{ max_publications_per_day: '-1' }, ['max_publications_per_day']],
    [{ max_publications_per_day: '1001' }, ['max_publications_per_day']],
    [{ monthly_article_credits: 'many' }, ['monthly_article_credits']],
    [{ monthly_crowdwork_dollars: '1e3' }, ['monthly_crowdwork_dollars']],
    [{ monthly_crowdwork_dollars: '0.001' }, ['monthly_crowdwork_dollars']],
    [{ quiet_from: '24:00', quiet_to: '07:00' }, ['quiet_from']],
    [{ quiet_from: '9:00', quiet_to: '7' }, ['quiet_from', 'quiet_to']],
    [{ quiet_from: '22:00' }, ['quiet_to']],
    [{ quiet_to: '07:00' }, ['quiet_from']],
    [{ quiet_from: '22:00', quiet_to: '22:00' }, ['quiet_to']],
    [{ needs_approval: 'sometimes' }, ['needs_approval']],
    [{ timezone: 'Mars/Olympus' }, ['timezone']],
  ])('names what is wrong: %o', (form, fields) => {
    expect(readPolicyForm({ ...OPEN, ...form }).wrong.map(({ field }) => field)).toEqual(fields)
  })
})
