import { clip } from '../../platform/lib/text.ts'

export const MIN_PROMPT = 3
export const MAX_PROMPT = 300
/** Prompts of a project that are asked. */
export const MAX_ACTIVE = 25
/** Of them, those the service made itself. */
export const MAX_AUTO = 10
/** Most questions of each prompt to each engine in one scan. */
export const MAX_SAMPLES = 5
/** An index entry holds 2,704 bytes; a character has four at most. */
const MAX_KEY = 600

/** Returns a prompt as it is kept: one blank between words. */
export const plainPrompt = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Returns the form in which two prompts are the same: without case and spacing. */
export const promptKey = (text: string): string =>
  clip(text.normalize('NFKC').toLowerCase().replace(/\s+/g, ''), MAX_KEY)
