import type * as z from 'zod/mini'
import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { readAnswer } from '../got.ts'
import type { CmsDeps } from '../http.ts'
import { errorIn, failureOf } from './refusal.ts'
import type { Site, SiteRequest } from './site.ts'

/** State that the parts of the core REST adapter share. */
export type Core = { site: Site; deps: CmsDeps }

/** Asks core REST; null for what it has not. Anything but the expected answer is a typed failure. */
export const askCore = async <T>(
  { site }: Core,
  schema: z.ZodMiniType<T>,
  request: SiteRequest,
): Promise<{ kind: 'done'; value: T | null } | CmsFailure> => {
  const answer = await site.ask({ ...request, path: `wp/v2/${request.path}` })
  if (answer.kind !== 'answered') return answer
  const code = errorIn(answer)?.code
  if (answer.status === 404 && code?.endsWith('_invalid_id')) return { kind: 'done', value: null }
  if (answer.status >= 300) return failureOf(answer)
  const read = readAnswer(schema, answer, { name: 'WordPress', writes: request.method !== 'GET' })
  return read.kind === 'got' ? { kind: 'done', value: read.value } : read
}
