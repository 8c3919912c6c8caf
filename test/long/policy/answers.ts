import { expect } from 'vitest'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { Answer } from '../../support/client.ts'
import type { Site } from './tenant.ts'

/** Codes of calls that the state of the article refuses. */
export const BY_STATE = new Set([
  'published_article',
  'not_published',
  'not_found',
  'superseded',
  'delivery_in_progress',
  'unsupported_for_sync',
  'nothing_to_roll_back',
  'publish_in_progress',
  'invalid_transition',
])

/** Returns an answer in short: its status, and its code or the state that it names. */
export const said = ({ status, body }: Answer): string => `${status} ${String(body.code ?? body.status ?? '')}`

/** Expects that a clause refused a call: the answer names the clause and says what to do. */
export const expectRefusal = ({ status, body, text }: Answer, rule: PolicyRule, site: Site): void => {
  expect([status, body.code, body.rule, body.project], text).toEqual([403, 'policy', rule, site.projectId])
  expect([body.message, body.instructions_for_agent]).toEqual([
    expect.stringMatching(/\w+\. .*Nothing was changed\.$/s),
    expect.stringContaining(`/p/${site.projectId}/policy`),
  ])
}

/** Expects that a clause kept a call back. One that a person has to approve may wait for that instead. */
export const expectNotDone = (answer: Answer, rule: PolicyRule, site: Site): void => {
  if (rule === 'needs_approval' && answer.body.status === 'awaiting_approval') expect(answer.status).toBe(202)
  else expectRefusal(answer, rule, site)
}

export const expectByState = (answer: Answer): void => {
  expect([...BY_STATE], answer.text).toContain(answer.body.code)
}

/** Expects that the scope of the key does not reach as far as the call. */
export const expectScope = (answer: Answer): void => expect(said(answer), answer.text).toBe('403 key_may_not')
