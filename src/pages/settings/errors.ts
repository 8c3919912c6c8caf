import type { FieldError } from '../../platform/lib/errors.ts'

/** Returns a text that begins with a capital letter. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the fault of a form's field, as a sentence; undefined if there is none. */
export const wrongWith = (errors: readonly FieldError[], name: string): string | undefined => {
  const found = errors.find(({ field }) => field === name)
  return found && `${upper(found.message.replaceAll('_', ' '))}.`
}
