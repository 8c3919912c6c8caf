import { type Ctx, noting, systemCtx } from '../platform/runtime/ctx.ts'
import type { Front, PagesContext } from './front.tsx'

/** The context of a person who is signed in: verbs run for their account, and the audit log names the person. */
export const ctxOf = (c: PagesContext, { deps }: Pick<Front, 'deps'>): Ctx => {
  const { id, accountId, plan, projectSlots } = c.get('person')
  const defer = (work: Promise<unknown>) =>
    c.executionCtx.waitUntil(work.catch(() => deps.log('error', 'deferred.failed', { path: c.req.path })))
  return noting(systemCtx(deps, `person:${id}`, { id: accountId, plan, projectSlots }, defer))
}

/** The id in a field of a form; 0, which is nobody's, where it is none. */
export const idIn = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0)
