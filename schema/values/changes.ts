import type { OwnFields } from './own-fields.ts'

/** States of a change set. `stopped`: it ended early, at the first article that was refused. */
export const CHANGE_SET_STATES = ['draft', 'releasing', 'stopped', 'released', 'reverting', 'reverted'] as const
export type ChangeSetState = (typeof CHANGE_SET_STATES)[number]

/**
 * States of one article's change. `sending`, `reverting`: begun, and perhaps sent. `again`: refused before, and to be sent once more.
 * `left_out`: somebody changed the article since.
 */
export const CHANGE_STATES = [
  'waiting',
  'sending',
  'again',
  'sent',
  'refused',
  'left_out',
  'reverting',
  'reverted',
] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

/** Fields of an article that a change sets, by their names in the API. `content` is safe HTML. */
export type ChangedFields = {
  content?: string
  title?: string
  meta_description?: string
  feature_image?: string
  alt_text?: string
  category?: string
  tags?: string[]
  seo_title?: string
  canonical_url?: string
  fields?: OwnFields
}
