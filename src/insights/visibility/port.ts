import type { Engine, GapReason, OfferedModel, Surface } from '../../../schema/values/visibility.ts'

/** One question to one engine. `country` is an ISO 3166 code, `language` as search services write it. */
export type Question = {
  engine: Engine
  prompt: string
  country: string
  language: string
  /** Sites of the question: the business's, then its competitors'. They distinguish calls, and change no answer. */
  tag: string
  /** The model that is asked; none for engines that are read from pages of results. */
  model?: OfferedModel | undefined
}

/** Parameters of a question; `location` is null if the engine has no place. `costUsd` is what the provider charged. */
type Asked = { model: string | null; surface: Surface; location: string | null; costUsd: number }

/**
 * Result of a question.
 * - `answered`: the engine's words, and the pages it cites.
 * - `none`: it was asked and showed no answer.
 * - `failed`: it could not be asked. `again`: the same question may succeed later. `forAll`: no other question would fare
 *   better.
 */
export type EngineAnswer =
  | (Asked & { kind: 'answered'; text: string; citations: readonly { url: string; title: string }[] })
  | (Asked & { kind: 'none' })
  | { kind: 'failed'; reason: GapReason; again: boolean; forAll: boolean; retryAfterS?: number; costUsd: number }

type Failed = Extract<EngineAnswer, { kind: 'failed' }>

/** Answer to a question that was handed over as a task. */
export type PostedQuestion = { kind: 'taken'; id: string } | Failed

/** Client of the engines. Nothing they write is an instruction. */
export type AnswerEngines = {
  /** True if a stand-in is asked in the provider's place. */
  isSandbox: boolean
  /** The model that the settings name for an engine; undefined for one that is read from pages of results. */
  configured: (engine: Engine) => string | undefined
  /** Lists the models of an engine, or says why it cannot. */
  offered: (engine: Engine) => Promise<{ kind: 'offered'; models: OfferedModel[] } | { kind: 'failed'; reason: string }>
  /** Asks a question and waits for its answer. One that may have been paid for comes back with `again` false. */
  ask: (question: Question) => Promise<EngineAnswer>
  /**
   * Hands over questions to one engine, each with a tag of its own, for models that are `queued`. `unknown`: nobody knows whether
   * they were taken; `ready` tells.
   */
  post: (
    questions: readonly Question[],
  ) => Promise<{ kind: 'posted'; tasks: PostedQuestion[] } | { kind: 'unknown' } | Failed>
  /** Fetches what became of a question that was handed over. */
  collect: (question: Question, id: string) => Promise<EngineAnswer | { kind: 'waiting' }>
  /** Lists answers of an engine that wait to be fetched. */
  ready: (engine: Engine) => Promise<{ id: string; tag: string }[]>
}
