import fc from 'fast-check'
import type { Operation } from './article-model.ts'

const ARTICLES = 3

/** Beginning of a sequence's article. */
export type Beginning = {
  status: 'Draft' | 'Planned'
  date: 'past' | 'future' | null
  words: 'none' | 'short' | 'long'
}

/** An operation without its words, which are made when it is done; `back`: so many revisions before the newest. */
export type Wanted = Omit<Operation, 'words' | 'title' | 'revision'> & {
  size?: 'none' | 'short' | 'long'
  back?: number
}

/**
 * Next event of a sequence.
 *
 * A minute passes, the writer is asked for another article, the receiver changes its behaviour, or two agents call at once.
 */
export type Turn =
  | { kind: 'minute' }
  | { kind: 'generate' }
  | { kind: 'receiver'; mode: 'ok' | 'reject' }
  | { kind: 'calls'; a: Wanted; b: Wanted }

export type ArticleSequence = { publishing: string; writer: boolean; beginnings: Beginning[]; turns: Turn[] }

const article = fc.nat(ARTICLES - 1)
const date = fc.constantFrom('past' as const, 'future' as const)
const size = fc.constantFrom('short' as const, 'long' as const)
const simple = (kind: Wanted['kind']) => fc.record({ kind: fc.constant(kind), article })

const wanted: fc.Arbitrary<Wanted> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      article,
      size: fc.constantFrom('none' as const, 'short' as const, 'long' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), article, date: fc.option(date, { nil: undefined }) }),
  },
  { weight: 4, arbitrary: simple('publish') },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), article, back: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync' as const), article, size }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reschedule' as const), article, date }) },
  { weight: 2, arbitrary: fc.oneof(simple('make_draft'), simple('unschedule'), simple('retitle')) },
  { weight: 1, arbitrary: fc.oneof(simple('remove'), simple('brief')) },
) as fc.Arbitrary<Wanted>

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('calls' as const), a: wanted, b: wanted }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'minute' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'generate' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('receiver' as const),
      mode: fc.constantFrom('ok' as const, 'ok' as const, 'reject' as const),
    }),
  },
)

export const articleSequence: fc.Arbitrary<ArticleSequence> = fc.record({
  publishing: fc.constantFrom('Publish Immediately', 'Send as Drafts', 'Save as Drafts'),
  writer: fc.boolean(),
  beginnings: fc.array(
    fc.record({
      status: fc.constantFrom('Draft' as const, 'Planned' as const),
      date: fc.constantFrom('past' as const, 'future' as const, null),
      words: fc.constantFrom('none' as const, 'short' as const, 'long' as const),
    }),
    { minLength: ARTICLES, maxLength: ARTICLES },
  ),
  turns: fc.array(turn, { minLength: 3, maxLength: 9 }),
})
