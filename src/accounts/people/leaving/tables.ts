import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { apiKeys } from '../../../../schema/accounts.ts'
import { adoptedPosts, adoptions } from '../../../../schema/adopted.ts'
import { approvals } from '../../../../schema/approvals.ts'
import { projectExports, projectImportIds, projectImports } from '../../../../schema/archives.ts'
import {
  articleDrafts,
  articleRevisions,
  articles,
  articleWritings,
  deletedArticles,
} from '../../../../schema/articles.ts'
import { articleBatches, articleBatchResults } from '../../../../schema/batches.ts'
import { bingReports } from '../../../../schema/bing.ts'
import { changeSets, changes } from '../../../../schema/changes.ts'
import { connections } from '../../../../schema/connections.ts'
import { copies } from '../../../../schema/copies.ts'
import { crowdworkCampaigns } from '../../../../schema/crowdwork.ts'
import { deliveries, deliveryAttempts } from '../../../../schema/deliveries.ts'
import { pageChanges } from '../../../../schema/effects.ts'
import { engineHosts, engineReports } from '../../../../schema/engines.ts'
import { eventAttempts, eventEndpoints } from '../../../../schema/events.ts'
import { exchangeCommitments, exchangeLedger, exchangeLinks } from '../../../../schema/exchange.ts'
import { indexStates, inspectionDays } from '../../../../schema/indexing.ts'
import { integrations } from '../../../../schema/integrations.ts'
import { auditLog, idempotencyRecords, outbox } from '../../../../schema/kernel.ts'
import { keywordAnswers, providerKeys } from '../../../../schema/keywords.ts'
import { hostedImages, hostedVideos } from '../../../../schema/media.ts'
import { siteMoveArticles, siteMoves } from '../../../../schema/moves.ts'
import { notices } from '../../../../schema/notices.ts'
import {
  outreachActions,
  outreachErasures,
  outreachIdentities,
  outreachLeads,
  outreachMirrors,
  outreachPersons,
  outreachSuppressions,
} from '../../../../schema/outreach.ts'
import { invitations } from '../../../../schema/people.ts'
import { deputies, policies, policyVersions } from '../../../../schema/policies.ts'
import { reviewReplies } from '../../../../schema/profile.ts'
import { projects } from '../../../../schema/projects.ts'
import { signedReceipts } from '../../../../schema/receipts.ts'
import { cmsImages, liveChanges, remoteVersions } from '../../../../schema/remote.ts'
import { monthlyReports, reportMailings } from '../../../../schema/reports.ts'
import { screenshotDays, screenshots } from '../../../../schema/screenshots.ts'
import {
  searchAnswers,
  searchConnections,
  searchDays,
  searchPageDays,
  searchPages,
  searchSources,
  searchWindowRows,
  searchWindows,
} from '../../../../schema/search.ts'
import { projectKeywords, sitePages } from '../../../../schema/site.ts'
import { socialAccounts, socialPosts, socialProfiles } from '../../../../schema/social.ts'
import { articleWords, statements } from '../../../../schema/statements.ts'
import { suggestionRuns, suggestions } from '../../../../schema/suggestions.ts'
import { trafficCounts, trafficDays } from '../../../../schema/traffic.ts'
import { articleTranslations } from '../../../../schema/translations.ts'
import {
  visibilityAnswers,
  visibilityPrompts,
  visibilityScans,
  visibilitySchedules,
} from '../../../../schema/visibility.ts'
import type { Owner } from '../../../platform/accounts/parts.ts'
import { eraseJob } from '../jobs.ts'

/** Rows of an account in one table. */
export type OwnTable = {
  /** Name of the table in a copy. */
  name: string
  table: PgTable
  /** Returns the condition that a row belongs to the owner. A project has no rows in a table without `isOfProjects`. */
  isOf: (owner: Owner) => SQL
  /** True if each row of the table belongs to a project, or may. */
  isOfProjects: boolean
  /** Columns that order the rows of the copy. A table without them is not copied. */
  order?: readonly string[]
  /** Columns left out of copies: secrets, and values that only the service itself reads. */
  without?: readonly string[]
}

type Copied = Pick<OwnTable, 'order' | 'without'>

const column = (name: string): SQL => sql.raw(`"${name}"`)

/** Condition on the columns of a row: it belongs to the owner. */
const belongsTo = ({ account, project }: Owner): SQL =>
  project === undefined
    ? sql`account_id = ${account}::int`
    : sql`account_id = ${account}::int and project_id = ${project}::int`

const owned = (table: PgTable, copied: Copied = {}): OwnTable => ({
  name: getTableName(table),
  table,
  isOf: belongsTo,
  isOfProjects: 'projectId' in getTableColumns(table),
  ...copied,
})

/** Returns rows that belong to a row of another table: `parents` selects the ids of the owner's. */
const below = (table: PgTable, key: string, parents: (owner: Owner) => SQL, copied: Copied = {}): OwnTable => ({
  name: getTableName(table),
  table,
  isOf: (owner) => sql`${column(key)} in (${parents(owner)})`,
  isOfProjects: true,
  ...copied,
})

const idsIn = (table: PgTable) => (owner: Owner) => sql`select id from ${table} where ${belongsTo(owner)}`
const projectIds = ({ account, project }: Owner) =>
  project === undefined
    ? sql`select id from ${projects} where account_id = ${account}::int`
    : sql`select ${project}::int`
const sourceIds = (owner: Owner) => sql`select id from ${searchSources} where project_id in (${projectIds(owner)})`
const pageIds = (owner: Owner) => sql`select id from ${searchPages} where source_id in (${sourceIds(owner)})`

const BY_ID = ['id'] as const
const byId = (...without: string[]): Copied => ({ order: BY_ID, ...(without.length > 0 ? { without } : {}) })

/**
 * Every table with rows of an account. A table that refers to another comes before it.
 *
 * A copy has the tables with an `order`. Erasing deletes from all tables in this order, so that no row deletes many others with it.
 */
export const OWN_TABLES: readonly OwnTable[] = [
  below(searchPageDays, 'page_id', pageIds, { order: ['page_id', 'day'] }),
  below(searchWindowRows, 'source_id', sourceIds, { order: ['source_id', 'ends_on', 'page_id', 'query'] }),
  below(searchWindows, 'source_id', sourceIds, { order: ['source_id', 'ends_on'] }),
  below(searchAnswers, 'source_id', sourceIds),
  below(searchDays, 'source_id', sourceIds, { order: ['source_id', 'day'] }),
  below(searchPages, 'source_id', sourceIds, byId('page_key')),
  owned(searchConnections),
  below(indexStates, 'project_id', projectIds, { order: ['article_id'] }),
  below(engineHosts, 'project_id', projectIds, { order: ['project_id', 'origin'] }),
  below(engineReports, 'project_id', projectIds, { order: ['project_id', 'url'] }),
  below(inspectionDays, 'project_id', projectIds, { order: ['property', 'day', 'project_id'] }),
  owned(reportMailings, { order: ['project_id'] }),
  below(monthlyReports, 'project_id', projectIds, byId('token_hash')),
  below(siteMoveArticles, 'move_id', idsIn(siteMoves), { order: ['move_id', 'article_id'], without: ['new_key'] }),
  owned(siteMoves, byId('from_key', 'to_key')),
  below(searchSources, 'project_id', projectIds, byId()),
  below(bingReports, 'project_id', projectIds, {
    order: ['project_id', 'kind', 'to_day', 'from_day'],
    without: ['hash'],
  }),
  below(trafficCounts, 'project_id', projectIds, { order: ['article_id', 'day', 'kind', 'name'] }),
  below(trafficDays, 'project_id', projectIds, { order: ['project_id', 'day'] }),
  below(cmsImages, 'integration_id', idsIn(integrations)),
  below(remoteVersions, 'article_id', idsIn(articles)),
  below(liveChanges, 'article_id', idsIn(articles)),
  below(changes, 'set_id', idsIn(changeSets), { order: ['set_id', 'position'] }),
  owned(changeSets, byId('hash')),
  owned(statements, byId('rare_keys')),
  below(articleWords, 'article_id', idsIn(articles)),
  owned(adoptions, byId()),
  below(articleTranslations, 'article_id', idsIn(articles), { order: ['article_id'] }),
  below(adoptedPosts, 'article_id', idsIn(articles), { order: ['article_id'], without: ['source_hash'] }),
  below(articleBatchResults, 'batch_id', idsIn(articleBatches), { order: ['batch_id', 'position'] }),
  owned(articleBatches, byId()),
  owned(signedReceipts, byId()),
  below(deliveryAttempts, 'delivery_id', idsIn(deliveries), byId()),
  owned(deliveries, byId()),
  owned(copies, byId('token', 'tried')),
  owned(pageChanges, byId()),
  owned(suggestions, byId()),
  below(suggestionRuns, 'project_id', projectIds),
  // By their scans, which have an index for this.
  below(visibilityAnswers, 'scan_id', idsIn(visibilityScans), byId()),
  owned(visibilityScans, byId()),
  owned(visibilityPrompts, byId('prompt_key')),
  owned(visibilitySchedules),
  owned(socialPosts, byId()),
  owned(socialAccounts, byId('sealed_secrets', 'sealed_session')),
  owned(socialProfiles),
  owned(crowdworkCampaigns, byId('mark', 'fingerprint')),
  owned(reviewReplies, byId()),
  owned(exchangeLedger, byId()),
  below(exchangeCommitments, 'article_id', idsIn(articles)),
  below(exchangeCommitments, 'to_project_id', projectIds),
  below(exchangeLinks, 'from_project_id', projectIds, byId()),
  { ...below(exchangeLinks, 'to_project_id', projectIds, byId()), name: 'exchange_links_received' },
  below(sitePages, 'project_id', projectIds, byId('words', 'url_key', 'linked_keys')),
  below(projectKeywords, 'project_id', projectIds, byId()),
  below(articleWritings, 'article_id', idsIn(articles)),
  // A copy is for the owner, and a draft is its person's alone.
  below(articleDrafts, 'article_id', idsIn(articles)),
  below(articleRevisions, 'article_id', idsIn(articles), byId()),
  owned(deletedArticles, { order: ['article_id'], without: ['source_hash'] }),
  owned(articles, byId('content_sketch', 'linked_keys', 'search_text', 'publish_token', 'site_lacks')),
  owned(integrations, byId('sealed_secrets')),
  owned(connections, byId('sealed_secrets')),
  below(eventAttempts, 'endpoint_id', idsIn(eventEndpoints), byId()),
  owned(eventEndpoints, byId('sealed_secrets')),
  owned(screenshotDays),
  owned(outreachActions, { order: ['id'] }),
  owned(outreachLeads, { order: ['id'] }),
  owned(outreachIdentities, { order: ['id'] }),
  owned(outreachSuppressions, { order: ['id', 'key'] }),
  owned(outreachPersons, { order: ['id'] }),
  owned(outreachErasures),
  owned(outreachMirrors),
  owned(keywordAnswers),
  owned(providerKeys, byId('sealed_secrets')),
  below(policyVersions, 'project_id', projectIds, { order: ['project_id', 'version'] }),
  owned(policies, { order: ['project_id'] }),
  owned(deputies, { order: ['project_id'] }),
  owned(approvals, byId('content_hash', 'review_token_hash')),
  owned(notices, byId()),
  below(projectImportIds, 'import_id', idsIn(projectImports)),
  owned(projectImports),
  owned(projectExports),
  {
    ...owned(projects, byId('topic_vector')),
    isOf: (owner) => sql`account_id = ${owner.account}::int and id in (${projectIds(owner)})`,
    isOfProjects: true,
  },
  owned(invitations, byId('token_hash')),
  owned(apiKeys, byId('key_hash')),
  owned(idempotencyRecords),
  owned(auditLog, byId()),
  owned(hostedImages, { order: ['hash'] }),
  owned(hostedVideos, { order: ['name'] }),
  owned(screenshots, byId()),
  // All jobs except the one that erases the account.
  { ...owned(outbox), isOf: (owner) => sql`${belongsTo(owner)} and job <> ${eraseJob.name}` },
]
