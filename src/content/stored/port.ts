import { textWork } from '../../platform/lib/text-work.ts'
import type { AnyStored } from './forms.ts'
import type { Spliced } from './refusals.ts'

/** Job that makes the HTML that callers read of a stored text. Without `html`, its blocks do not nest. */
export const showStoredWork = textWork<AnyStored, { html?: string | undefined }>('show-stored')

/** Job that puts a caller’s text into a stored one, see `spliceStored`. */
export const spliceStoredWork = textWork<AnyStored & { known: readonly string[]; html: string }, Spliced>(
  'splice-stored',
)
