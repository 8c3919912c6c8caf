import { describe, expect, it } from 'vitest'
import { moveOf, type Positioned, statusesFor, stepOf } from '../../src/articles/transitions.ts'

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

  it('lets an article’s date and the writer move only what stands where they take it', () => {
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

  it('reads the move from the fields of a PUT; a status wins over a date taken away', () => {
    expect(moveOf({ status: 'Planned', scheduled_date: null })).toBe('plan')
    expect(moveOf({ status: 'Draft' })).toBe('make_draft')
    expect(moveOf({ scheduled_date: null })).toBe('unschedule')
    expect(moveOf({ scheduled_date: '2030-01-01' })).toBe('edit')
  })
})
