import type { FaultRule } from '../faults.ts'
import { type Answer, json, type Outcome } from './answers.ts'

const answerOf = ({ status = 200, answer, headers = {} }: FaultRule): Answer => {
  if (answer === undefined) return { status, headers, body: '' }
  if (typeof answer === 'string')
    return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: answer }
  return json(status, answer, headers)
}

/** Returns the outcome of an ordinary request under a fault rule; `work` runs as often as the rule says, and its last outcome counts. */
export const outcomeOf = (fault: FaultRule | undefined, work: () => Outcome): Outcome => {
  if (fault?.drop === 'before') return { kind: 'close' }
  if (fault && (fault.status !== undefined || fault.answer !== undefined))
    return { kind: 'send', answer: answerOf(fault) }
  let outcome = work()
  for (let done = 1; done < (fault?.repeat ?? 1); done += 1) outcome = work()
  return fault?.drop === 'after' ? { kind: 'close' } : outcome
}

const firstHalf = (answer: Answer): Answer => ({ ...answer, body: answer.body.slice(0, answer.body.length >> 1) })

const injected = (status: number): Answer =>
  json(status, { error: `injected fault: status ${status}`, message: 'injected fault' })

/** Returns the outcome as `outcomeOf` does, for asynchronous work. A rule's status without an answer gets `refusal`. */
export const outcomeLater = async (
  fault: FaultRule | undefined,
  work: () => Promise<Answer>,
  refusal: (status: number) => Answer = injected,
): Promise<Outcome> => {
  if (fault?.drop === 'before') return { kind: 'close' }
  if (fault && (fault.status !== undefined || fault.answer !== undefined))
    return { kind: 'send', answer: fault.answer === undefined ? refusal(fault.status ?? 200) : answerOf(fault) }
  if (fault?.late_ms) await new Promise((resolve) => setTimeout(resolve, fault.late_ms))
  let answer = await work()
  for (let done = 1; done < (fault?.repeat ?? 1); done += 1) answer = await work()
  if (fault?.drop === 'after') return { kind: 'close' }
  return { kind: 'send', answer: fault?.half ? firstHalf(answer) : answer }
}

/** Returns the delay of the answer to a request under a fault rule, in ms. */
export const faultDelayMs = (fault: FaultRule | undefined): number => fault?.delay_ms ?? 0
