import { lengthOf, type Words } from './word.ts'

const BODY_OR_QUERY = 'ID of the project, in the body or in the query.'

export const SUGGESTION_FIELDS: Readonly<Record<string, Words>> = {
  'suggestions.list': {
    status: ['Returns only suggestions with these statuses, separated by commas.', 'all'],
    type: ['Returns only suggestions of these types, separated by commas.', 'all'],
    limit: lengthOf(100, 500),
  },
  'suggestions.effects': {
    kind: [
      'Returns only changes of this kind. `rewrite`: published suggestions. `sync`: other updates. `rollback`: restored earlier versions.',
      'all',
    ],
    limit: lengthOf(100, 500),
  },
  'suggestions.run': { project_id: BODY_OR_QUERY },
  'suggestions.reject': { reason: ['Reason, for people who read it later.', 'none'] },
  'suggestions.regenerate': { feedback: ['Changes that the rewrite should make.', 'none'] },
}

export const INSIGHT_FIELDS: Readonly<Record<string, Words>> = {
  'visibility.get': {
    view: ['View to return.', '`summary`'],
    page: ['With `view=prompts`: page number.', '1'],
    per_page: ['With `view=prompts`: prompts per page. Values above 50 are reduced to 50.', '10'],
  },
  'visibility.answers': {
    scan_id: ['Returns only answers of this scan.', 'all'],
    prompt_id: ['Returns only answers to this prompt.', 'all'],
    engine: ['Returns only answers of these engines, separated by commas.', 'all'],
    limit: lengthOf(20, 100),
  },
  'visibility.scan': {
    project_id: BODY_OR_QUERY,
    samples: [
      'Number of times that each engine is asked each prompt. More answers give narrower intervals and cost more.',
      '1',
    ],
  },
  'visibility.prompts.add': { prompt: 'Question that a person would ask. Compared without case and spaces.' },
  'visibility.prompts.remove': {
    project_id: BODY_OR_QUERY,
    prompt: 'Prompt as it was added, in the body or in the query.',
  },
  'search.performance': {
    days: ['Number of days. The last day is three days ago. Values above 90 are reduced to 90.', '28'],
    limit: ['Maximum number of queries and of pages. Values above 1,000 are reduced to 1,000.', '25'],
    start_row: ['Number of rows to skip: `pagination.next_start_row` of the previous response.', '0'],
    compare: ['True: also returns the changes against the previous period of the same length.', '`false`'],
  },
  'search.history': {
    page: ['URL of one page.', 'the whole site'],
    days: ['Number of days. Values above 488 are reduced to 488.', '90'],
  },
  'search.choose_property': { property: 'One of `properties` in `GET /projects/:id/search-console`.' },
}
