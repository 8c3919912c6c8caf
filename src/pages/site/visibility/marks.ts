import type * as z from 'zod/mini'
import type { visibilityAnswers } from '../../../insights/visibility/answers.ts'
import type { Mark } from '../parts.tsx'

type Report = z.infer<(typeof visibilityAnswers)['report'][200]>

export type Summary = Extract<Report, { has_data: boolean }>

export type Prompts = Extract<Report, { prompts: unknown }>

export type Competitors = Extract<Report, { you: unknown }>

export type Cited = Extract<Report, { pages: unknown }>

export type History = Extract<Report, { points: unknown }>

export type Engine = Summary['engines'][number]

export const VERDICTS: Record<Engine['state'], Mark> = {
  cited: ['good', '●', 'Cites you'],
  mentioned: ['good', '◐', 'Names you'],
  not_cited: ['plain', '○', 'Does not name you'],
  no_data: ['warn', '?', 'No answer'],
}
