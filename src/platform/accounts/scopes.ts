import { SCOPES, type Scope } from '../../../schema/values/accounts.ts'
import { ApiError } from '../lib/errors.ts'

const KEPT: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  draft: ['read', 'draft'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
}

/** Returns the scopes stored for a key of this scope. */
export const scopesOf = (scope: Scope): Scope[] => [...KEPT[scope]]

/** Returns the widest of some scopes; `read` if there is none. Ignores names that are not scopes. */
export const widestOf = (scopes: readonly string[]): Scope =>
  SCOPES.findLast((scope) => scopes.includes(scope)) ?? 'read'

/** True if a key with these scopes may make a call that needs `needed`. */
export const includesScope = (scopes: readonly string[], needed: Scope): boolean =>
  SCOPES.indexOf(widestOf(scopes)) >= SCOPES.indexOf(needed)

/** Returns the 403 for a call that a key's scope does not include. `what`: the part of the call that needs more. */
export const keyMayNot = (
  publicUrl: string,
  scopes: readonly string[],
  needed: Scope,
  what = 'This call',
): ApiError => {
  const has = widestOf(scopes)
  return new ApiError(
    'key_may_not',
    `This API key has the scope "${has}". ${what} needs the scope "${needed}". Nothing was changed.`,
    {
      key_scope: has,
      required_scope: needed,
      instructions_for_agent: `Tell the user that this call needs a key with the scope ${needed}. They make one at ${publicUrl}/settings/keys. Do not look for another way to do the same.`,
    },
  )
}
