import type { SQL } from 'drizzle-orm'
import { getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { subscriptions } from '../../../schema/billing.ts'
import { connections } from '../../../schema/connections.ts'
import { eventEndpoints } from '../../../schema/events.ts'
import { integrations } from '../../../schema/integrations.ts'
import { providerKeys } from '../../../schema/keywords.ts'
import { noticeChoices, noticeSettings } from '../../../schema/notices.ts'
import {
  outreachActions,
  outreachErasures,
  outreachIdentities,
  outreachLeads,
  outreachMirrors,
  outreachPersons,
  outreachSuppressions,
} from '../../../schema/outreach.ts'
import {
  accountDeletions,
  invitations,
  memberships,
  oauthGrants,
  oauthRecords,
  people,
  personCredentials,
  personPasskeys,
  personSessions,
  personVerifications,
} from '../../../schema/people.ts'
import { deputies, policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { monthlyReports, reportMailings } from '../../../schema/reports.ts'
import { searchConnections } from '../../../schema/search.ts'
import { socialAccounts, socialPosts } from '../../../schema/social.ts'
import { visibilityPrompts, visibilitySchedules } from '../../../schema/visibility.ts'

/**
 * Ending in a table. A restore brings the rows of an earlier moment back, and each ending is then applied to them again.
 *
 * Names of columns are those of the database.
 */
export type Ending = {
  table: PgTable
  /** Columns that get the value of the replaced database. */
  columns: readonly string[]
  /** Condition on the row `later` of the replaced database, without which its columns are not copied. */
  when?: SQL
  /** Effect on a row that the replaced database no longer has; absent: it stays. */
  gone?: 'deleted' | 'erased'
  /** Columns of rows that only the replaced database has, and that record an ending; absent: they are not added. */
  added?: readonly string[]
}

type Parts<T extends PgTable> = {
  columns?: readonly (keyof T['_']['columns'])[]
  when?: SQL
  gone?: Ending['gone']
  /** True if rows are added with all their columns. */
  added?: true | readonly (keyof T['_']['columns'])[]
}

const ending = <T extends PgTable>(table: T, { columns = [], when, gone, added }: Parts<T>): Ending => {
  const byKey: T['_']['columns'] = getTableColumns(table)
  const named = (keys: readonly (keyof T['_']['columns'])[]) => keys.flatMap((key) => byKey[key]?.name ?? [])
  const all = () => getTableConfig(table).columns.flatMap(({ name, generated }) => (generated ? [] : [name]))
  return {
    table,
    columns: named(columns),
    ...(when ? { when } : {}),
    ...(gone ? { gone } : {}),
    ...(added ? { added: added === true ? all() : named(added) } : {}),
  }
}

const IS_OFF = sql`later.status <> 'Active'`

/** Every ending. Rows that others refer to come first. */
export const ENDINGS: readonly Ending[] = [
  ending(accounts, {
    columns: [
      'email',
      'suspendedAt',
      'plan',
      'projectSlots',
      'outreachPro',
      'outreachBeta',
      'providerMonth',
      'providerUsd',
    ],
    gone: 'erased',
  }),
  ending(accountDeletions, {
    columns: ['requestedBy', 'requestedAt', 'eraseAt'],
    gone: 'deleted',
    added: true,
  }),
  ending(subscriptions, {
    columns: ['subscriptionId', 'itemId', 'status', 'plan', 'slots', 'periodEnd', 'endsWithPeriod'],
    added: true,
  }),
  ending(projects, { columns: ['status', 'eraseAt'], when: IS_OFF, gone: 'erased' }),
  ending(projects, { columns: ['crowdworkBudget', 'backlinksNetwork'] }),
  ending(people, { columns: ['email', 'emailVerified'], gone: 'deleted' }),
  ending(personSessions, { gone: 'deleted' }),
  // A password that was chosen anew is another row.
  ending(personCredentials, { columns: ['password'], gone: 'deleted', added: true }),
  ending(personPasskeys, { columns: ['counter'], gone: 'deleted' }),
  ending(personVerifications, { gone: 'deleted' }),
  ending(memberships, { columns: ['role', 'projectId'], gone: 'deleted' }),
  ending(invitations, { columns: ['tokenHash', 'role', 'projectId', 'expiresAt'], gone: 'deleted' }),
  ending(oauthRecords, { columns: ['value', 'metadata', 'expiresAt'], gone: 'deleted' }),
  ending(oauthGrants, { gone: 'deleted' }),
  ending(apiKeys, {
    columns: [
      'revokedAt',
      'heldAt',
      'expiresAt',
      'scopes',
      'budgetArticleCredits',
      'budgetScans',
      'budgetCents',
      'usedMonth',
      'usedArticleCredits',
      'usedScans',
      'usedCents',
    ],
  }),
  ending(policies, {
    columns: [
      'version',
      'needsApproval',
      'approveAdopted',
      'maxPublicationsPerDay',
      'quietFrom',
      'quietTo',
      'allowedTargets',
      'monthlyArticleCredits',
      'monthlyCrowdworkCents',
      'frozen',
      'timezone',
      'changedBy',
      'changedAt',
    ],
    added: true,
  }),
  ending(policyVersions, { added: true }),
  ending(deputies, { columns: ['personId', 'namedBy', 'awayUntil', 'namedAt'], gone: 'deleted' }),
  ending(approvals, { columns: ['reviewTokenHash', 'reviewExpiresAt'] }),
  ending(reportMailings, { columns: ['personIds'], gone: 'deleted' }),
  ending(monthlyReports, { columns: ['tokenHash'], gone: 'deleted' }),
  ending(noticeSettings, { columns: ['timezone', 'digestAt'], added: true }),
  ending(noticeChoices, { columns: ['choice'], gone: 'deleted', added: true }),
  ending(integrations, { columns: ['status'], when: IS_OFF }),
  ending(integrations, { columns: ['sealedSecrets'] }),
  ending(eventEndpoints, { columns: ['url', 'kinds', 'projectId', 'status', 'sealedSecrets'], gone: 'deleted' }),
  ending(connections, { columns: ['status'], when: IS_OFF }),
  ending(connections, { columns: ['sealedSecrets'] }),
  ending(searchConnections, { gone: 'deleted' }),
  ending(providerKeys, { columns: ['sealedSecrets', 'login', 'masked', 'rejected'], gone: 'deleted' }),
  ending(socialAccounts, { columns: ['status', 'lapsedReason'], when: IS_OFF }),
  ending(socialAccounts, { columns: ['sealedSecrets', 'sealedSession'] }),
  ending(socialPosts, {
    columns: ['status', 'publishedAt', 'url', 'error', 'remoteId', 'networkId', 'maybeSent'],
    gone: 'deleted',
  }),
  ending(visibilityPrompts, { columns: ['removedAt'] }),
  ending(visibilitySchedules, { gone: 'deleted' }),
  // The caller sends everything again, because the restored mirror lacks what the cursor had passed.
  ending(outreachMirrors, {
    columns: ['salt'],
    gone: 'deleted',
    added: ['accountId', 'salt', 'createdAt', 'updatedAt'],
  }),
  ending(outreachSuppressions, { added: true }),
  ending(outreachErasures, { added: true }),
  ending(outreachPersons, { gone: 'deleted' }),
  ending(outreachIdentities, { gone: 'deleted' }),
  ending(outreachLeads, { gone: 'deleted' }),
  ending(outreachActions, { gone: 'deleted' }),
]
