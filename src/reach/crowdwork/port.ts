import type { CampaignStatus, Rating } from '../../../schema/values/crowdwork.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/text.ts'

/** Failure of a call to the provider. */
export type CrowdFailure = {
  kind: 'failed'
  /**
   * `rejected`: the provider refuses the request. `not_found`: it has no such thing.
   *
   * `away`: it does not answer, is down or wants fewer calls. `broken`: its answer is unusable, or it refuses our key.
   */
  reason: 'rejected' | 'not_found' | 'away' | 'broken'
  /** The change may have been made all the same. */
  mayBeDone: boolean
  message: string
  /** Every call fails so until the operator of the service fixes what is wrong. */
  isOperators?: true
  status?: number
  retryAfterS?: number
  /** The provider's answer as it came, cut: operators read it where the message says too little. */
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

/** State of a campaign at the provider. `status` is undefined for a state the interface has no word for. */
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

/** A worker's submission: an answer to a question of the template, or a link to a file. Both are the worker's own words. */
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
  /** Its name for sentences. */
  name: string
  /** True if the first campaign of an account may have one position only. */
  triesFirst: boolean
  /** Returns the address of a campaign's page for people. */
  pageOf: (campaignId: string) => string
  makeTemplate: (title: string, html: string) => Promise<Crowd<string>>
  /** Makes a campaign; its id. */
  makeCampaign: (order: CampaignOrder) => Promise<Crowd<string>>
  /** The campaign that carries a mark, made after an instant; null where the provider has none. */
  findCampaign: (mark: string, since: Date) => Promise<Crowd<string | null>>
  campaign: (id: string) => Promise<Crowd<LiveCampaign>>
  /** A page of slots; `next` leads to the one after it, null at the end. */
  slots: (
    campaignId: string,
    filter: SlotFilter,
    token: string | null,
  ) => Promise<Crowd<{ slots: Slot[]; next: string | null }>>
  slot: (id: string) => Promise<Crowd<Slot>>
  rate: (id: string, rating: Rating, comment: string | undefined) => Promise<Crowd<true>>
}

const WAIT_S = 30

/** Returns a failure of the provider as our error. `outcome` says what became of the call. */
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
