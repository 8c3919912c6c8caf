import type * as z from 'zod/mini'
import { requestIdHeader } from '../../lib/request-scope.ts'
import type { Writer } from '../../writing/port.ts'
import { OutlineAnswer, RepairAnswer, SectionAnswer } from '../../writing/wire.ts'

type Binding = { fetch: typeof fetch }

/** How long one step may take, ms: below the lease of a job's run. */
const TIMEOUT_MS = 90_000

const passing = (reason: string) => ({ kind: 'refused', reason, retryable: true }) as const

/** The writer in its own Worker, over the service binding. What it does not answer in time or in form may be tried again. */
export const writerClient = (binding: Binding): Writer => {
  const ask = async <S extends z.ZodMiniType>(step: string, body: unknown, shape: S) => {
    try {
      const response = await binding.fetch(`http://writer/${step}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) return passing('The writer did not answer.')
      const answer = shape.safeParse(await response.json())
      return answer.success ? answer.data : passing('The writer answered with something that is no article.')
    } catch {
      return passing('The writer did not answer in time.')
    }
  }
  return {
    outline: async (input) => await ask('outline', input, OutlineAnswer),
    section: async (input) => await ask('section', input, SectionAnswer),
    repair: async (input) => await ask('repair', input, RepairAnswer),
  }
}
