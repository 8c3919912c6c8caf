import type { Citation, GapReason, Surface, Verdict } from '../../../../schema/values/visibility.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import type { Texts } from '../../../platform/lib/text-work.ts'
import { judgeSaidWork, type Looked } from '../match/work.ts'
import type { EngineAnswer } from '../port.ts'

const MAX_TEXT = 50_000

/** Record of a settled question. */
export type Settled = {
  state: Verdict
  reason: GapReason | null
  text: string | null
  citations: Citation[]
  model: string | null
  surface: Surface | null
  location: string | null
  costUsd: number
}

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

/** Returns the record of an answer: its words, and every page it cites or links to. */
export const keptOf = async (
  texts: Texts,
  answer: Exclude<EngineAnswer, { kind: 'failed' }>,
  of: Looked,
): Promise<Settled> => {
  const { model, surface, location, costUsd } = answer
  if (answer.kind === 'none') return { ...gap('no_answer_shown', costUsd), model, surface, location }
  const text = clip(storableText(answer.text), MAX_TEXT)
  const said = { text, citations: answer.citations }
  const { verdict, citations } = await texts(judgeSaidWork, { said, of })
  return { state: verdict, reason: null, text, citations, model, surface, location, costUsd }
}
