/**
 * Rules of the care report. `falling`, `silent`, `competing`: from search data. `not_indexed`: from Google's index. The others: from the text and its last check.
 */
export const CARE_RULES = [
  'falling',
  'silent',
  'competing',
  'not_indexed',
  'thin',
  'no_description',
  'no_alternative_text',
  'broken_links',
  'broken_pictures',
  'no_internal_links',
  'orphan',
  'out_of_date',
  'other_language',
] as const
export type CareRule = (typeof CARE_RULES)[number]
