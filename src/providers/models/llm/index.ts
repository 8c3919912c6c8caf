import { generateText, type LanguageModel } from 'ai'
import * as z from 'zod/mini'
import {
  type Headline,
  HeadlineShape,
  type Outline,
  OutlineShape,
  type Writer,
  type WriterResult,
} from '../../../content/writing/port.ts'
import { ask, listedModel, modelsRequest, ok, wrong } from '../../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../../platform/jobs/provider-check.ts'
import { withoutThoughts } from '../../../platform/lib/thoughts.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'
import type { WriterSettings } from '../../../platform/runtime/provider-env.ts'
import { finalAnswer, htmlOf, jsonOf, lineOf } from './final-answer.ts'
import { answerFault, failureOf, isReasoningModel, unexpectedAnswer } from './models.ts'
import { headlinePrompt, outlinePrompt, type Prompt, repairPrompt, sectionPrompt } from './prompts.ts'

const Plan = z.object({
  title: z.string(),
  meta_description: z.string(),
  introduction: z.array(z.string()),
  sections: z
    .array(z.object({ heading: z.string().check(z.minLength(1)), points: z.array(z.string()) }))
    .check(z.minLength(1)),
})

/** Returns the plan in a model's answer; undefined if it is not JSON in the requested form. */
export const outlineIn = (text: string): Outline | undefined => {
  const plan = jsonOf(text, Plan)
  if (!plan) return undefined
  const { title, meta_description, introduction, sections } = plan
  const outline = {
    title: lineOf(title),
    metaDescription: lineOf(meta_description),
    sections: [
      { heading: '', points: introduction.map(lineOf) },
      ...sections.map(({ heading, points }) => ({ heading: lineOf(heading), points: points.map(lineOf) })),
    ],
  }
  const shaped = OutlineShape.safeParse(outline)
  return shaped.success ? shaped.data : undefined
}

const Worded = z.object({ title: z.string(), meta_description: z.string() })

/** Returns title and description in a model's answer; undefined if it is not JSON in the requested form. */
const headlineIn = (text: string): Headline | undefined => {
  const worded = jsonOf(text, Worded)
  if (!worded) return undefined
  const shaped = HeadlineShape.safeParse({
    title: lineOf(worded.title),
    metaDescription: lineOf(worded.meta_description),
  })
  return shaped.success ? shaped.data : undefined
}

/** Time limit of a model for one answer, ms. It is below the caller's limit for the step. */
const TIMEOUT_MS = 80_000
const TEMPERATURE = 0.4
const MAX_TOKENS = { outline: 4_000, section: 4_000, repair: 16_000, headline: 1_000 }
/** Factor of the token limit for a model that thinks first, because its thinking counts as part of the answer. */
const ROOM_TO_THINK = 4

/** A model, the clock, and the model's key, which no message may contain. */
export type AskedModel = { model: LanguageModel; now: () => Date; secret: string }

/**
 * Returns a function that asks a language model through the AI SDK.
 *
 * An answer that is cut short is requested again once, with twice the tokens. Other retries are left to the job, so that waits do not add
 * up inside a Worker.
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
      const isCut = first.finishReason === 'length' || finalAnswer(first.text).kind === 'cut'
      // Thoughts in the text take the room of the answer.
      thinks ||=
        (first.usage.outputTokenDetails.reasoningTokens ?? 0) > 0 || withoutThoughts(first.text).removed.length > 0
      const { text, finishReason } = isCut ? await answerWithin(2 * room()) : first
      const answer = finalAnswer(text)
      const fault = answerFault(finishReason, answer)
      if (fault) return fault
      const value = answer.kind === 'answer' ? read(answer.text) : undefined
      return value === undefined ? unexpectedAnswer(what) : { kind: 'done', value }
    } catch (error) {
      return failureOf(error, now(), secret)
    }
  }
}

/** Returns the writer that uses a language model, with one call per step. */
export const llmWriter = (asked: AskedModel): Writer => {
  const ask = asker(asked)
  return {
    outline: (input) => ask(outlinePrompt(input), MAX_TOKENS.outline, outlineIn, 'an outline'),
    section: (input) => ask(sectionPrompt(input), MAX_TOKENS.section, htmlOf, 'HTML'),
    repair: (input) => ask(repairPrompt(input), MAX_TOKENS.repair, htmlOf, 'HTML'),
    headline: (input) => ask(headlinePrompt(input), MAX_TOKENS.headline, headlineIn, 'a title and a description'),
  }
}

const CHECK_TIMEOUT_MS = 60_000
/** Token limit for models that think first. They refuse a limit that their thinking fills. */
const CHECK_ROOM = 2_000
const CHECK_COST = 'some tokens'

/** Returns the state of a model in the provider's list; undefined if the provider has no list. */
const listed = async (settings: WriterSettings, outbound: Outbound): Promise<string | undefined> => {
  if (settings.provider !== 'openai-compatible') return undefined
  const answer = await ask(outbound, modelsRequest(settings))
  const found = 'isOk' in answer ? undefined : listedModel(answer.json, settings.model)
  if (!found) return undefined
  if (!found.isListed) return 'not in the list of models'
  return found.ends === undefined ? 'listed' : `ends on ${found.ends}`
}

/** Checks the writer's model: asks it for one word, with the writer's own client. */
export const checkModel = async (
  settings: Exclude<WriterSettings, { provider: 'built-in' }>,
  { model, now, secret }: AskedModel,
  outbound: Outbound,
): Promise<Checked> => {
  const list = await listed(settings, outbound)
  try {
    const abortSignal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
    await generateText({
      model,
      prompt: 'Say yes.',
      maxOutputTokens: isReasoningModel(settings.model) ? CHECK_ROOM : 1,
      maxRetries: 0,
      abortSignal,
    })
    return ok(`${settings.model} writes${list === undefined ? '' : `; ${list}`}`, CHECK_COST)
  } catch (error) {
    const failure = failureOf(error, now(), secret)
    const reason = failure.kind === 'refused' ? failure.reason : 'no answer'
    const found = `${settings.model}: ${reason}${list === undefined ? '' : `; ${list}`}`
    return wrong(found, 'Check WRITER_MODEL, WRITER_API_KEY and WRITER_BASE_URL.', CHECK_COST)
  }
}
