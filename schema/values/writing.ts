/** Reasons of a writing: asked for by a call, or a planned article's date is near. */
export const WRITING_KINDS = ['generate', 'scheduled'] as const
export type WritingKind = (typeof WRITING_KINDS)[number]
