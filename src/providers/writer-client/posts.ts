import type { PostWriter } from '../../social/writer-port.ts'
import { PostsAnswer } from '../../social/writer-wire.ts'

type Binding = { fetch: typeof fetch }

/** How long the words may take, ms: below the lease of a job's run. */
const TIMEOUT_MS = 90_000

const passing = (reason: string) => ({ kind: 'refused', reason, retryable: true }) as const

/** The writer of posts in the writer's Worker, over the service binding. */
export const postWriterClient = (binding: Binding): PostWriter => ({
  posts: async (task) => {
    try {
      const response = await binding.fetch('http://writer/posts', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(task),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) return passing('The writer did not answer.')
      const answer = PostsAnswer.safeParse(await response.json())
      return answer.success ? answer.data : passing('The writer answered with something that is no posts.')
    } catch {
      return passing('The writer did not answer in time.')
    }
  },
})
