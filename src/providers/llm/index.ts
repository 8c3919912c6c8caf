import { generateText, type LanguageModel } from 'ai'
import type { Writer, WriterResult } from '../../writing/port.ts'
import { answerFault, failureOf, notAsAsked } from './failures.ts'
import { headlinePrompt, outlinePrompt, type Prompt, repairPrompt, sectionPrompt } from './prompts.ts'
import { headlineIn, htmlIn, outlineIn } from './transform.ts'

/** How long a model may take for one answer, ms: less than the caller waits for the step. */
const TIMEOUT_MS = 80_000
const TEMPERATURE = 0.4
const MAX_TOKENS = { outline: 4_000, section: 4_000, repair: 16_000, headline: 1_000 }

/**
 * Asks a language model through the AI SDK. One call and no retry here: the job retries, so that waits never add up inside a
 * Worker.
 */
export const asker =
  (model: LanguageModel, now: () => Date) =>
  async <T>(
    { instructions, prompt }: Prompt,
    maxOutputTokens: number,
    read: (text: string) => T | undefined,
    what: string,
  ): Promise<WriterResult<T>> => {
    try {
      const { text, finishReason } = await generateText({
        model,
        instructions,
        prompt,
        maxOutputTokens,
        temperature: TEMPERATURE,
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const fault = answerFault(finishReason, text)
      if (fault) return fault
      const value = read(text)
      return value === undefined ? notAsAsked(what) : { kind: 'done', value }
    } catch (error) {
      return failureOf(error, now())
    }
  }

/** The writer that asks a language model: one call a step. */
export const llmWriter = (model: LanguageModel, now: () => Date): Writer => {
  const ask = asker(model, now)
  return {
    outline: (input) => ask(outlinePrompt(input), MAX_TOKENS.outline, outlineIn, 'an outline'),
    section: (input) => ask(sectionPrompt(input), MAX_TOKENS.section, htmlIn, 'HTML'),
    repair: (input) => ask(repairPrompt(input), MAX_TOKENS.repair, htmlIn, 'HTML'),
    headline: (input) => ask(headlinePrompt(input), MAX_TOKENS.headline, headlineIn, 'a title and a description'),
  }
}
