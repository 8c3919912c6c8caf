import { lengthOf, type Words } from './word.ts'

export const SUGGESTION_FIELDS: Readonly<Record<string, Words>> = {
  'suggestions.list': {
    status: ['only these states, with commas between them', 'all'],
    type: ['only these kinds, with commas between them', 'all'],
    limit: lengthOf(100, 500),
  },
  'suggestions.effects': {
    kind: [
      'only `rewrite`: published suggestions, or only `sync`: every other update, or only `rollback`: an earlier version put back',
      'all',
    ],
    limit: lengthOf(100, 500),
  },
  'suggestions.run': { project_id: 'the project; in the body or in the query' },
  'suggestions.reject': { reason: ['why, for those who read it later', 'none'] },
  'suggestions.regenerate': { feedback: ['what the rewrite should do otherwise', 'none'] },
}

export const INSIGHT_FIELDS: Readonly<Record<string, Words>> = {
  'visibility.get': {
    view: ['what to show', '`summary`'],
    page: ['with `view=prompts`: which page', '1'],
    per_page: ['with `view=prompts`: prompts on a page; more than 50 is lowered to 50', '10'],
  },
  'visibility.answers': {
    scan_id: ['only answers of this scan', 'all'],
    prompt_id: ['only answers to this prompt', 'all'],
    engine: ['only these engines, with commas between them', 'all'],
    limit: lengthOf(20, 100),
  },
  'visibility.scan': {
    project_id: 'the project; in the body or in the query',
    samples: ['how often each engine is asked each prompt; more answers, narrower intervals, higher cost', '1'],
  },
  'visibility.prompts.add': { prompt: 'what a person would ask; compared without case and blanks' },
  'visibility.prompts.remove': {
    project_id: 'the project; in the body or in the query',
    prompt: 'the prompt as it was added; in the body or in the query',
  },
  'search.performance': {
    days: ['how many days, the last one three days ago; more than 90 is lowered to 90', '28'],
    limit: ['queries and pages in the answer; more than 1,000 is lowered to 1,000', '25'],
    start_row: ['how many rows to leave out: `pagination.next_start_row` of the answer before', '0'],
    compare: ['also what changed against as many days before', '`false`'],
  },
  'search.history': {
    page: ['address of one page', 'the whole site'],
    days: ['how many days back; more than 488 is lowered to 488', '90'],
  },
  'search.choose_property': { property: 'one of `properties` in `GET /projects/:id/search-console`' },
}
