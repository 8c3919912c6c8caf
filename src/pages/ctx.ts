import { has } from '../accounts/people/roles.ts'
import { clip, storableText } from '../platform/lib/text.ts'
import { type Ctx, recordingFailures, systemCtx } from '../platform/runtime/ctx.ts'
import type { Front, PagesContext } from './front.tsx'

/**
 * Returns the context in which verbs run for the signed-in person's account. The audit log names the person.
 *
 * The actor is `person:ID` if the role may decide, else `editor:ID`. Publications of an editor need approval, as those
 * of keys do.
 */
export const ctxOf = (c: PagesContext, { deps }: Pick<Front, 'deps'>): Ctx => {
  const { id, role, accountId, plan, projectSlots } = c.get('person')
  const defer = (work: Promise<unknown>) =>
    c.executionCtx.waitUntil(work.catch(() => deps.log('error', 'deferred.failed', { path: c.req.path })))
  return recordingFailures(
    systemCtx(deps, `${has(role, 'decide') ? 'person' : 'editor'}:${id}`, { id: accountId, plan, projectSlots }, defer),
  )
}

/** Returns the id in a form field; 0, which no row has, if the text is not an id. */
export const idIn = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0)

/** Returns what a person searches for, in a form that the database takes and at most 200 characters. */
export const searchIn = (text: string | undefined): string => clip(storableText(text ?? '').trim(), 200)
