import type { GapReason } from '../../../schema/values/visibility.ts'
import { clip, storableText } from '../../lib/text.ts'
import { type Brand, judge, linksIn } from '../match/judge.ts'
import type { EngineAnswer } from '../port.ts'
import type { Settled } from './answer-statements.ts'

const MAX_TEXT = 50_000

/** A question that has no answer, and why. */
export const gap = (reason: GapReason, costUsd: number): Settled => ({
  state: 'no_data',
  reason,
  text: null,
  citations: [],
  model: null,
  surface: null,
  location: null,
  costUsd,
})

/** What is kept of an answer: its words, and every page it cites or links to. */
export const keptOf = (answer: Exclude<EngineAnswer, { kind: 'failed' }>, brand: Brand): Settled => {
  const { model, surface, location, costUsd } = answer
  if (answer.kind === 'none') return { ...gap('no_answer_shown', costUsd), model, surface, location }
  const text = clip(storableText(answer.text), MAX_TEXT)
  const links = linksIn(text).map((url) => ({ url, title: '' }))
  const { verdict, citations } = judge({ text, citations: [...answer.citations, ...links] }, brand)
  return { state: verdict, reason: null, text, citations, model, surface, location, costUsd }
}
