import { type Ctx, noting, systemCtx } from '../../../src/runtime/ctx.ts'
import type { Front, PagesContext } from '../front.tsx'

/** The context of a person who is signed in: verbs run for their account, and the audit log names the person. */
export const ctxOf = (c: PagesContext, { deps }: Pick<Front, 'deps'>): Ctx => {
  const { id, accountId, plan, projectSlots } = c.get('person')
  const defer = (work: Promise<unknown>) =>
    c.executionCtx.waitUntil(work.catch(() => deps.log('error', 'deferred.failed', { path: c.req.path })))
  return noting(systemCtx(deps, `person:${id}`, { id: accountId, plan, projectSlots }, defer))
}
