import { has } from '../accounts/people/roles.ts'
import { type Ctx, noting, systemCtx } from '../platform/runtime/ctx.ts'
import type { Front, PagesContext } from './front.tsx'

/**
 * Returns the context of a person who is signed in: verbs run for their account, and the audit log names the person. An editor is no
 * `person:` there, whose publications need nobody's approval: those of an editor ask as the calls of keys do.
 */
export const ctxOf = (c: PagesContext, { deps }: Pick<Front, 'deps'>): Ctx => {
  const { id, role, accountId, plan, projectSlots } = c.get('person')
  const defer = (work: Promise<unknown>) =>
    c.executionCtx.waitUntil(work.catch(() => deps.log('error', 'deferred.failed', { path: c.req.path })))
  return noting(
    systemCtx(deps, `${has(role, 'decide') ? 'person' : 'editor'}:${id}`, { id: accountId, plan, projectSlots }, defer),
  )
}

/** Returns the id in a field of a form; 0, which is nobody's, if it is none. */
export const idIn = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0)
