import { describe, expect, it } from 'vitest'
import {
  FIRST_STATUS,
  type Move,
  moveOf,
  type Positioned,
  stateAt,
  statusAfter,
  statusesFor,
  stepOf,
} from '../../../src/content/articles/transitions.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const LATER = new Date('2030-01-01T00:01:00Z')

const at = (changes: Partial<Positioned>): Positioned => ({
  status: 'Draft',
  writingStartedAt: null,
  publishState: 'idle',
  publishLeaseUntil: null,
  ...changes,
})

const STANDS: Record<string, Positioned> = {
  Draft: at({}),
  Planned: at({ status: 'Planned' }),
  Generating: at({ status: 'Generating' }),
  'Planned, taken by the writer': at({ status: 'Planned', writingStartedAt: NOW }),
  'Draft, being published': at({ publishState: 'publishing', publishLeaseUntil: LATER }),
  'Planned, held by a lease that has ended': at({
    status: 'Planned',
    publishState: 'publishing',
    publishLeaseUntil: NOW,
  }),
  'Planned, waiting for a retry': at({ status: 'Planned', publishState: 'retrying' }),
  Published: at({ status: 'Published' }),
  'Published, being synced': at({ status: 'Published', publishState: 'publishing', publishLeaseUntil: LATER }),
}

const no = (refusal: string) => ({ refusal })
const written = no('already_being_written')
const busy = no('publish_in_progress')
const live = no('published_article')
const conflict = no('edit_conflict')

/** The interface's table, line by line: edit, plan, make_draft, delete, publish, sync. */
const EXPECTED: Record<string, unknown[]> = {
  Draft: ['Draft', 'Planned', 'Draft', 'removed', 'Published', no('not_published')],
  Planned: ['Planned', 'Planned', 'Draft', 'removed', 'Published', no('not_published')],
  Generating: [written, written, written, written, written, no('not_published')],
  'Planned, taken by the writer': [written, written, written, written, written, no('not_published')],
  'Draft, being published': [busy, busy, busy, busy, busy, no('not_published')],
  'Planned, held by a lease that has ended': [
    'Planned',
    'Planned',
    'Draft',
    'removed',
    'Published',
    no('not_published'),
  ],
  'Planned, waiting for a retry': ['Planned', 'Planned', 'Draft', 'removed', 'Published', no('not_published')],
  Published: [live, live, live, live, 'unchanged', 'Published'],
  'Published, being synced': [live, live, live, live, 'unchanged', no('sync_in_progress')],
}

describe('the state table', () => {
  it.each(Object.keys(STANDS))('%s', (name) => {
    const article = STANDS[name] as Positioned
    const moves = ['edit', 'plan', 'make_draft', 'delete', 'publish', 'sync'] as const
    expect(moves.map((move) => stepOf(move, article, NOW))).toEqual(EXPECTED[name])
  })

  it.each<[Move, ...unknown[]]>([
    // Draft, Planned, Generating, Publishing, Published, Syncing
    ['edit', 'Draft', 'Planned', written, busy, live, live],
    ['restore', 'Draft', 'Planned', written, busy, live, live],
    ['plan', 'Planned', 'Planned', written, busy, live, live],
    ['make_draft', 'Draft', 'Draft', written, busy, live, live],
    ['unschedule', 'Draft', 'Draft', written, busy, live, live],
    ['delete', 'removed', 'removed', written, busy, live, live],
    ['publish', 'Published', 'Published', written, busy, 'unchanged', 'unchanged'],
    ['sync', ...Array<unknown>(4).fill(no('not_published')), 'Published', no('sync_in_progress')],
    ['rollback', ...Array<unknown>(4).fill(no('not_published')), 'Published', no('sync_in_progress')],
    ['unpublish', ...Array<unknown>(4).fill(no('not_published')), 'Draft', no('sync_in_progress')],
    ['detach', ...Array<unknown>(4).fill(no('not_published')), 'Draft', no('sync_in_progress')],
    [
      'release',
      'removed',
      'removed',
      no('already_being_written'),
      no('publish_in_progress'),
      'removed',
      no('sync_in_progress'),
    ],
    ['go_live', conflict, 'Published', conflict, conflict, conflict, conflict],
    ['send_draft', conflict, 'Draft', conflict, conflict, conflict, conflict],
    ['keep_draft', conflict, 'Draft', conflict, conflict, conflict, conflict],
    ['write', conflict, 'Generating', conflict, conflict, conflict, conflict],
    ['finish_generation', conflict, conflict, 'Draft', conflict, conflict, conflict],
    ['finish_planned', conflict, conflict, 'Planned', conflict, conflict, conflict],
  ])('%s starts from the right states', (move, ...steps) => {
    const places = ['Draft', 'Planned', 'Generating', 'Draft, being published', 'Published', 'Published, being synced']
    expect(places.map((name) => stepOf(move, STANDS[name] as Positioned, NOW))).toEqual(steps)
    const changing = ['Draft', 'Planned', 'Generating', 'Published'] as const
    const from = [steps[0], steps[1], steps[2], steps[4]]
    expect(statusesFor(move)).toEqual(changing.filter((_, n) => typeof from[n] === 'string' && from[n] !== 'unchanged'))
  })

  it('computes an article’s state; expired leases do not count', () => {
    const leased = { publishState: 'publishing', publishLeaseUntil: LATER } as const
    expect(stateAt(at({ ...leased }), NOW)).toBe('Publishing')
    expect(stateAt(at({ ...leased, status: 'Published' }), NOW)).toBe('Syncing')
    expect(stateAt(at({ ...leased, publishState: 'retrying' }), NOW)).toBe('Draft')
    expect(stateAt(at({ ...leased, publishLeaseUntil: NOW }), NOW)).toBe('Draft')
    expect(stateAt(at({ publishState: 'publishing' }), NOW)).toBe('Draft')
    expect(stateAt(at({ ...leased, status: 'Planned', writingStartedAt: NOW }), NOW)).toBe('Generating')
    expect(stateAt(at({ status: 'Published', writingStartedAt: NOW }), NOW)).toBe('Published')
  })

  it('knows the status an article begins with', () => {
    expect(FIRST_STATUS).toEqual({ month_plan: 'Planned', generation: 'Generating', bin: 'Draft' })
  })

  it('moves an article by date or writer only from the right statuses', () => {
    expect(statusesFor('go_live')).toEqual(['Planned'])
    expect(statusesFor('write')).toEqual(['Planned'])
    expect(statusesFor('publish')).toEqual(['Draft', 'Planned'])
    expect(statusesFor('sync')).toEqual(['Published'])
    expect(stepOf('finish_planned', at({ status: 'Generating' }), NOW)).toBe('Planned')
    expect(stepOf('finish_generation', at({ status: 'Generating' }), NOW)).toBe('Draft')
    expect(
      stepOf('write', at({ status: 'Planned', publishState: 'publishing', publishLeaseUntil: LATER }), NOW),
    ).toEqual(no('edit_conflict'))
  })

  it('knows the one status that a move leads to', () => {
    expect(statusAfter('publish')).toBe('Published')
    expect(statusAfter('send_draft')).toBe('Draft')
    expect(statusAfter('write')).toBe('Generating')
    expect(statusAfter('finish_planned')).toBe('Planned')
    expect(statusAfter('sync')).toBe('Published')
    expect(() => statusAfter('edit')).toThrow('does not lead to one status')
    expect(() => statusAfter('delete')).toThrow('does not lead to one status')
  })

  it('reads the move from the fields of a PUT; a status wins over a date taken away', () => {
    expect(moveOf({ status: 'Planned', scheduled_date: null })).toBe('plan')
    expect(moveOf({ status: 'Draft' })).toBe('make_draft')
    expect(moveOf({ scheduled_date: null })).toBe('unschedule')
    expect(moveOf({ scheduled_date: '2030-01-01' })).toBe('edit')
  })
})
