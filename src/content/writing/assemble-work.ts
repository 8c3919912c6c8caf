import { textWork } from '../../platform/lib/text-work.ts'
import type { Assembled, Written } from './assemble.ts'
import type { Outline, WritingBrief } from './port.ts'

/** Parts of an article. */
export type ToAssemble = { brief: WritingBrief; notes: string; outline: Outline; written: Written }

/** Makes one article of what was written. */
export const assembleWork = textWork<ToAssemble, Assembled>('assemble')
