import type { Writer, WriterInput } from '../../../content/writing/port.ts'
import { type Arranged, arrange, sectionHtml } from './arrange.ts'

const NOTHING =
  'There is nothing to write the article from. Save notes as its content, or a business description in the project: the built-in writer arranges what it is given and invents nothing.'

const nothing = { kind: 'refused', reason: NOTHING, retryable: false } as const

const outlineOf = ({ title, sections }: Arranged, { brief }: WriterInput) => ({
  title: title || brief.title,
  metaDescription: '',
  sections: sections.map(({ heading }) => ({ heading, points: [] })),
})

/**
 * Returns the writer that needs no key and no network: it puts the caller's own sentences in the order of an article and leaves them
 * as they are. What it writes is never repaired, because none of it is its own.
 */
export const builtInWriter = (): Writer => ({
  outline: async (input) => {
    const arranged = arrange(input)
    return arranged ? { kind: 'done', value: outlineOf(arranged, input) } : nothing
  },
  section: async (input) => {
    const section = arrange(input)?.sections[input.index]
    return section ? { kind: 'done', value: sectionHtml(section) } : nothing
  },
  repair: async () => ({ kind: 'kept' }),
  headline: async () => ({ kind: 'kept' }),
})
