import type { Citation, Engine, GapReason, OfferedModel, Surface, Verdict } from '../../../schema/values/visibility.ts'
import { textWork } from '../../platform/lib/text-work.ts'

/** One question to one engine. `country` is an ISO 3166 code, `language` as search services write it. */
export type Question = {
  engine: Engine
  prompt: string
  country: string
  language: string
  /**
   * Tag of the question, then the sites of the business and its competitors. It identifies the call and does not change the
   * answer.
   */
  tag: string
  /** Model to ask; undefined for engines that are read from pages of results. */
  model?: OfferedModel | undefined
}

/** Details of a question that was asked. `location` is null if the engine has no place. `costUsd` is the provider's charge. */
type Asked = { model: string | null; surface: Surface; location: string | null; costUsd: number }

/**
 * Result of a question.
 * - `answered`: the text of the engine, and the pages it cites.
 * - `none`: the engine was asked and showed no answer.
 * - `failed`: the question could not be asked. `again`: it may succeed later. `forAll`: any other question would fail too.
 */
export type EngineAnswer =
  | (Asked & { kind: 'answered'; text: string; citations: readonly { url: string; title: string }[] })
  | (Asked & { kind: 'none' })
  | { kind: 'failed'; reason: GapReason; again: boolean; forAll: boolean; retryAfterS?: number; costUsd: number }

type Failed = Extract<EngineAnswer, { kind: 'failed' }>

/** Result of handing over one question as a task. `costUsd`: the charge, if the answer does not name it. */
export type PostedQuestion = { kind: 'taken'; id: string; costUsd: number } | Failed

/** Client of the engines. Their texts are data, never instructions. */
export type AnswerEngines = {
  /** True if a stand-in answers instead of the provider. */
  isSandbox: boolean
  /** Returns the configured model of an engine; undefined for one that is read from pages of results. */
  configured: (engine: Engine) => string | undefined
  /** True if an engine without models also takes tasks, which cost less than a live question and take minutes. */
  queuesCheaper: (engine: Engine) => boolean
  /** Returns the models of an engine, or the reason why they cannot be listed. */
  offered: (engine: Engine) => Promise<{ kind: 'offered'; models: OfferedModel[] } | { kind: 'failed'; reason: string }>
  /** Asks a question and waits for its answer. `again` is false for a question that may have been charged. */
  ask: (question: Question) => Promise<EngineAnswer>
  /**
   * Hands over questions to one engine as tasks, each with a tag of its own, for models that are `queued`.
   *
   * `unknown`: the provider may have taken them. `ready` shows which.
   */
  post: (
    questions: readonly Question[],
  ) => Promise<{ kind: 'posted'; tasks: PostedQuestion[] } | { kind: 'unknown' } | Failed>
  /** Fetches the result of a question that was handed over. */
  collect: (question: Question, id: string) => Promise<EngineAnswer | { kind: 'waiting' }>
  /** Lists the answers of an engine that were not fetched yet. */
  ready: (engine: Engine) => Promise<{ id: string; tag: string }[]>
}

/** Business to look for: its names, its site, and the sites of its competitors. */
export type Looked = {
  name: string
  aliases?: readonly string[]
  siteKey: string
  competitors: readonly string[]
  language?: string
}

/** Answer of an engine, as the provider returns it. */
export type Said = { text: string; citations: readonly { url: string; title: string }[] }

/** Verdict of an answer on the business, and the pages it cites. `unclear`: it may only say that it does not know the business. */
export type Judged = { verdict: Exclude<Verdict, 'no_data'> | 'unclear'; citations: Citation[] }

export type ToMatch = { said: Said; of: Looked; prompt: string }

/** Returns the verdict of an answer on a business, and the pages it cites. */
export const judgeSaidWork = textWork<ToMatch, Judged>('judge-said')
