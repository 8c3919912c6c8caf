import { generateText, type LanguageModel } from 'ai'
import type { Writer, WriterResult } from '../../../content/writing/port.ts'
import { answerFault, failureOf, notAsAsked } from './failures.ts'
import { isReasoningModel } from './parameters.ts'
import { headlinePrompt, outlinePrompt, type Prompt, repairPrompt, sectionPrompt } from './prompts.ts'
import { headlineIn, htmlIn, outlineIn } from './transform.ts'

/** Time limit of a model for one answer, ms: less than the caller waits for the step. */
const TIMEOUT_MS = 80_000
const TEMPERATURE = 0.4
const MAX_TOKENS = { outline: 4_000, section: 4_000, repair: 16_000, headline: 1_000 }
/** Factor of the room for a model that thinks first: its thinking is counted with its answer. */
const ROOM_TO_THINK = 4

/** A model, the clock, and its key, which no reason may repeat. */
export type AskedModel = { model: LanguageModel; now: () => Date; secret: string }

/**
 * Asks a language model through the AI SDK. An answer that is cut short is asked for once more, with twice the room. Other retries
 * are the job's, so that waits never add up inside a Worker.
 */
export const asker = ({ model, now, secret }: AskedModel) => {
  let thinks = isReasoningModel(typeof model === 'string' ? model : model.modelId)
  return async <T>(
    { instructions, prompt }: Prompt,
    maxOutputTokens: number,
    read: (text: string) => T | undefined,
    what: string,
  ): Promise<WriterResult<T>> => {
    const abortSignal = AbortSignal.timeout(TIMEOUT_MS)
    const answerWithin = (room: number) =>
      generateText({
        model,
        instructions,
        prompt,
        maxOutputTokens: room,
        temperature: TEMPERATURE,
        maxRetries: 0,
        abortSignal,
      })
    const room = () => maxOutputTokens * (thinks ? ROOM_TO_THINK : 1)
    try {
      const first = await answerWithin(room())
      thinks ||= (first.usage.outputTokenDetails.reasoningTokens ?? 0) > 0
      const { text, finishReason } = first.finishReason === 'length' ? await answerWithin(2 * room()) : first
      const fault = answerFault(finishReason, text)
      if (fault) return fault
      const value = read(text)
      return value === undefined ? notAsAsked(what) : { kind: 'done', value }
    } catch (error) {
      return failureOf(error, now(), secret)
    }
  }
}

/** Returns the writer that asks a language model: one call a step. */
export const llmWriter = (asked: AskedModel): Writer => {
  const ask = asker(asked)
  return {
    outline: (input) => ask(outlinePrompt(input), MAX_TOKENS.outline, outlineIn, 'an outline'),
    section: (input) => ask(sectionPrompt(input), MAX_TOKENS.section, htmlIn, 'HTML'),
    repair: (input) => ask(repairPrompt(input), MAX_TOKENS.repair, htmlIn, 'HTML'),
    headline: (input) => ask(headlinePrompt(input), MAX_TOKENS.headline, headlineIn, 'a title and a description'),
  }
}
