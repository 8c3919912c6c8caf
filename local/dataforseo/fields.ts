import { published } from '../published.ts'
import type { Task, TaskAnswer } from './envelope.ts'

export const SCHEMA = published('dataforseo')

/**
 * Returns the provider's answer to a task with an unknown field, or one of a wrong type; undefined if all fields fit.
 */
export const fieldFault = (path: string, task: Task): TaskAnswer | undefined => {
  const unfit = SCHEMA.unfitEntry(`POST ${path}`, task)
  const field = unfit?.path.at(-1)
  if (unfit?.kind === 'unknown') return { code: 40_506, message: `Unknown Fields in POST Data: '${field}'.` }
  return unfit && { code: 40_501, message: `Invalid Field: '${field}'.` }
}
