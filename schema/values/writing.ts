/** Why the writer writes: asked for by a call, or because a planned article's date is near. */
export const WRITING_KINDS = ['generate', 'scheduled'] as const
