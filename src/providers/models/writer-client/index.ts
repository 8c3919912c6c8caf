import type { Writer } from '../../../content/writing/port.ts'
import { HeadlineAnswer, OutlineAnswer, RepairAnswer, SectionAnswer } from '../../../content/writing/wire.ts'
import { askWriter, type WriterBinding } from './ask.ts'

/** Returns the writer in its own Worker, over the service binding. */
export const writerClient = (binding: WriterBinding): Writer => ({
  outline: async (input) => await askWriter(binding, 'outline', input, OutlineAnswer, 'article'),
  section: async (input) => await askWriter(binding, 'section', input, SectionAnswer, 'article'),
  repair: async (input) => await askWriter(binding, 'repair', input, RepairAnswer, 'article'),
  headline: async (input) => await askWriter(binding, 'headline', input, HeadlineAnswer, 'title'),
})
