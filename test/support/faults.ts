import { randomBytes } from 'node:crypto'
import type { FaultRule } from '../../local/faults.ts'
import { tell } from './client.ts'

/** Rules by which one test file makes a service misbehave that others use at the same moment. */
export type OwnFaults = {
  /** Replaces the rules of this file. Each may match only requests of this file's tests. */
  set: (...rules: FaultRule[]) => Promise<unknown>
  /** Returns the number of uses of each rule of this file, in their order. */
  used: () => Promise<number[]>
  /** Removes the rules of this file. */
  clear: () => Promise<unknown>
}

export const ownFaults = (url: string): OwnFaults => {
  const path = `/_faults?of=${randomBytes(6).toString('hex')}`
  const used = async () => {
    const { rules } = (await (await fetch(`${url}${path}`)).json()) as { rules: { used: number }[] }
    return rules.map((rule) => rule.used)
  }
  return { used, set: (...rules) => tell(url, path, rules), clear: () => tell(url, path) }
}
