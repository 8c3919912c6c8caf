import type { FieldError } from '../../platform/lib/errors.ts'

/** A text that begins with a capital letter. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What is wrong with a field of a form, as a sentence; undefined where nothing is. */
export const wrongWith = (errors: readonly FieldError[], name: string): string | undefined => {
  const found = errors.find(({ field }) => field === name)
  return found && `${upper(found.message.replaceAll('_', ' '))}.`
}
