import type { CampaignStatus, Rating } from '../../../schema/values/crowdwork.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/text.ts'

/** Failure of a call to the provider. */
export type CrowdFailure = {
  kind: 'failed'
  /**
   * `rejected`: the provider refuses the request. `not_found`: it does not have the thing.
   *
   * `away`: it does not answer, is down, or limits calls. `broken`: its answer is unusable, or it refuses our key.
   */
  reason: 'rejected' | 'not_found' | 'away' | 'broken'
  /** True if the change may have been made despite the failure. */
  mayBeDone: boolean
  message: string
  /** Set if every call fails until the operator of the service fixes the cause. */
  isOperators?: true
  status?: number
  retryAfterS?: number
  /** Raw answer of the provider, cut. Operators read it if the message is not enough. */
  raw?: string
}

export type Crowd<T> = { kind: 'got'; value: T } | CrowdFailure

/** Order of a campaign. Cents are of the US dollar. */
export type CampaignOrder = {
  title: string
  description: string
  templateId: string
  categoryId: string | undefined
  availablePositions: number
  paymentCents: number
  minutesToFinish: number
  ttr: number
  speed: number
  fileProofs: number | undefined
  allowedFileTypes: readonly string[] | undefined
}

/** State of a campaign at the provider. `status` is undefined for a state without a word in this API. */
export type LiveCampaign = {
  id: string
  title: string
  description: string
  status: CampaignStatus | undefined
  providerStatus: string
  availablePositions: number
  paymentCents: number
  slots: {
    untaken: number
    locked: number
    not_rated: number
    not_reviewed: number
    ok: number
    nok: number
    revise: number
  }
  blockedReason: string | null
  finishedAt: string | null
}

/** Submission of a worker: an answer to a question of the template, or a link to a file. Both are untrusted input. */
export type Proof = { type: 'answer'; question: string; answer: string } | { type: 'file'; url: string }

export type Slot = {
  id: string
  workerId: string
  status: string
  submittedAt: string | null
  proofs: Proof[]
  rating: Rating | null
}

export type SlotFilter = { status?: string | undefined; workerId?: string | undefined }

/** The provider of crowdwork. */
export type Crowdwork = {
  /** Name of the provider, for sentences. */
  name: string
  /** True if the first campaign of an account may have one position only. */
  triesFirst: boolean
  /** Returns the address of a campaign's page for people. */
  pageOf: (campaignId: string) => string
  makeTemplate: (title: string, html: string) => Promise<Crowd<string>>
  /** Makes a campaign and returns its id. */
  makeCampaign: (order: CampaignOrder) => Promise<Crowd<string>>
  /** Returns the campaign with a mark that was made after an instant; null if the provider has none. */
  findCampaign: (mark: string, since: Date) => Promise<Crowd<string | null>>
  campaign: (id: string) => Promise<Crowd<LiveCampaign>>
  /** Returns a page of slots. `next` is the token of the next page; null at the end. */
  slots: (
    campaignId: string,
    filter: SlotFilter,
    token: string | null,
  ) => Promise<Crowd<{ slots: Slot[]; next: string | null }>>
  slot: (id: string) => Promise<Crowd<Slot>>
  rate: (id: string, rating: Rating, comment: string | undefined) => Promise<Crowd<true>>
}

const WAIT_S = 30

/** Returns a failure of the provider as our error. `outcome` is a sentence about the result of the call. */
export const failureError = (name: string, failure: CrowdFailure, outcome: string): ApiError => {
  const { reason, message, isOperators = false, status, retryAfterS } = failure
  const upstream = { name, message, ...(status === undefined ? {} : { status }) }
  const extras: ErrorExtras = { upstream, ...(isOperators ? { retryable: false } : {}) }
  const toDo = isOperators ? ' Repeating the call does not help: the operator of this service has to fix that.' : ''
  const sentence = `${withStop(message)} ${outcome}${toDo}`
  if (reason === 'rejected') return new ApiError('crowdwork_rejected', sentence, extras)
  if (reason === 'away')
    return new ApiError('provider_unavailable', sentence, {
      ...extras,
      ...(isOperators ? {} : { retry_after: retryAfterS ?? WAIT_S }),
    })
  return new ApiError('provider_failed', sentence, extras)
}

/** Returns the value of the provider's answer. Throws 404 if it has no such thing, 422, 502, 503. */
export const valueFrom = <T>(name: string, answer: Crowd<T>, what: string): T => {
  if (answer.kind === 'got') return answer.value
  if (answer.reason === 'not_found') {
    const upstream = { name, status: answer.status ?? 404, message: answer.message }
    throw new ApiError('not_found', `${name} has no such ${what}.`, { upstream })
  }
  throw failureError(name, answer, 'Nothing was changed.')
}
