import type { Scope } from '../../../schema/values/accounts.ts'
import { widestOf } from '../../platform/accounts/scopes.ts'

/** Names of the scopes on pages. */
const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  draft: 'read and draft',
  write: 'read and change',
  read: 'only read',
  admin: 'read, change and administer',
}

/** Returns the words of a page for the scopes of a key. */
export const scopeLabel = (scopes: readonly Scope[]): string => SCOPE_LABELS[widestOf(scopes)]
