import type { Scope } from '../../schema/values/accounts.ts'
import { widestOf } from '../accounts/scopes.ts'

/** What pages call the scopes. */
const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  draft: 'read and draft',
  write: 'read and change',
  read: 'only read',
  admin: 'read, change and administer',
}

/** Returns what a page says that a key may do. */
export const scopeLabel = (scopes: readonly Scope[]): string => SCOPE_LABELS[widestOf(scopes)]
