import type { PgTable } from 'drizzle-orm/pg-core'
import type * as accounts from './accounts.ts'
import type * as adopted from './adopted.ts'
import type * as approvals from './approvals.ts'
import type * as archives from './archives.ts'
import type * as articles from './articles.ts'
import type * as batches from './batches.ts'
import type * as billing from './billing.ts'
import type * as bing from './bing.ts'
import type * as changes from './changes.ts'
import type * as connections from './connections.ts'
import type * as copies from './copies.ts'
import type * as crowdwork from './crowdwork.ts'
import type * as deliveries from './deliveries.ts'
import type * as effects from './effects.ts'
import type * as engines from './engines.ts'
import type * as events from './events.ts'
import type * as exchange from './exchange.ts'
import type * as indexing from './indexing.ts'
import type * as integrations from './integrations.ts'
import type * as kernel from './kernel.ts'
import type * as keywords from './keywords.ts'
import type * as media from './media.ts'
import type * as moves from './moves.ts'
import type * as notices from './notices.ts'
import type * as outreach from './outreach.ts'
import type * as people from './people.ts'
import type * as policies from './policies.ts'
import type * as profile from './profile.ts'
import type * as projects from './projects.ts'
import type * as receipts from './receipts.ts'
import type * as remote from './remote.ts'
import type * as reports from './reports.ts'
import type * as screenshots from './screenshots.ts'
import type * as search from './search.ts'
import type * as site from './site.ts'
import type * as social from './social.ts'
import type * as statements from './statements.ts'
import type * as suggestions from './suggestions.ts'
import type * as traffic from './traffic.ts'
import type * as translations from './translations.ts'
import { EVENT_DAYS } from './values/events.ts'
import { BIN_DAYS, DRAFT_DAYS, LOG_DAYS, NOTICE_DAYS, PICTURE_DAYS, SENT_DAYS } from './values/retention.ts'
import type * as visibility from './visibility.ts'

type TablesOf<Module> = { [Name in keyof Module as Module[Name] extends PgTable ? Name : never]: Module[Name] }

/** Every table, by the name of its variable, which is its name in the database in camel case. */
export type Tables = TablesOf<
  typeof accounts &
    typeof adopted &
    typeof approvals &
    typeof archives &
    typeof articles &
    typeof batches &
    typeof billing &
    typeof bing &
    typeof changes &
    typeof connections &
    typeof copies &
    typeof crowdwork &
    typeof deliveries &
    typeof effects &
    typeof engines &
    typeof events &
    typeof exchange &
    typeof indexing &
    typeof integrations &
    typeof kernel &
    typeof keywords &
    typeof media &
    typeof moves &
    typeof notices &
    typeof outreach &
    typeof people &
    typeof policies &
    typeof profile &
    typeof projects &
    typeof receipts &
    typeof remote &
    typeof reports &
    typeof screenshots &
    typeof search &
    typeof site &
    typeof social &
    typeof statements &
    typeof suggestions &
    typeof traffic &
    typeof translations &
    typeof visibility
>

type ColumnOf<Table> = Table extends PgTable ? keyof Table['_']['columns'] & string : never

/** Rows that nothing deletes because of their age. */
type Kept = {
  /** Words for people. Entries with the same words are one line of the page. */
  data: string
  /** Until when, and why. */
  kept: string
}

/** Rows, or the values of a column of them, that are deleted by the clock. */
type Ends<Column extends string> = {
  data: string
  /** Days after the time in `by`. 0: at that time, and `said` tells people when this is. */
  days: number
  by: Column
  said?: string
  /** Column in whose order the oldest rows are found, by an index that begins with it. Default: `by`. */
  order?: Column
  /** SQL condition: other rows stay. It must hold for almost every row that is old, because the others are read again. */
  only?: string
  /** Column that is set to null. The rows stay. */
  clears?: Column
  /** Name of the function that deletes them, if more than the rows ends. */
  sweep?: SweepName
}

/** Functions that delete what a plain statement cannot. */
export const SWEEPS = ['grants', 'revisions', 'attempts', 'texts', 'pictures'] as const
export type SweepName = (typeof SWEEPS)[number]

export type RetentionRule = Kept | Ends<string>

const own = { kept: 'until the account is deleted: erased 14 days after an owner asked for it' }
const ofSite = { kept: 'until the site or the account is deleted' }
const withArticle = { kept: 'as long as its article' }
const expires = { days: 0, by: 'expiresAt' } as const

const OWNERS = 'Accounts, people and their roles, keys and plans'
const SITES = 'Sites, their settings, policies and connections'
const WORK_NOW = 'Articles being written, and changes of posts and replies under way'
const WORK = 'Finished work, such as a mail that was sent'
const SIGN_IN = 'Sessions, codes, links for signing in, invitations, and tokens of applications'
const COUNTS = 'Counters and lists of the service, without data of people'
const SEARCH = 'Search numbers, keywords and pages of sites'
const ANSWERS = 'Answers of AI engines'
const VISITS = 'Numbers of visits from AI assistants and of requests of agents, by article and day'

/**
 * Days that the rows of each table are kept, and the column `by` which they end; or the reason why they stay.
 *
 * The clock deletes by this list (`src/platform/db/retention.ts`), and the page `/data` shows it. A table without an entry
 * does not compile.
 */
export const RETENTION = {
  accounts: { data: OWNERS, ...own },
  apiKeys: { data: OWNERS, ...own },
  subscriptions: { data: OWNERS, ...own },
  people: { data: OWNERS, ...own },
  personCredentials: { data: OWNERS, ...own },
  personPasskeys: { data: OWNERS, ...own },
  memberships: { data: OWNERS, ...own },
  accountDeletions: { data: OWNERS, ...own },
  noticeSettings: { data: OWNERS, ...own },
  noticeChoices: { data: OWNERS, ...own },
  providerKeys: { data: OWNERS, ...own },
  outreachMirrors: { data: 'Outreach data that callers sent', ...own },
  outreachPersons: { data: 'Outreach data that callers sent', ...own },
  outreachIdentities: { data: 'Outreach data that callers sent', ...own },
  outreachLeads: { data: 'Outreach data that callers sent', ...own },
  outreachActions: { data: 'Outreach data that callers sent', ...own },
  outreachSuppressions: { data: 'Outreach data that callers sent', ...own },
  outreachErasures: { data: 'Outreach data that callers sent', ...own },
  hostedImages: [
    { data: 'Pictures', ...own },
    {
      data: 'Pictures that nothing uses, and that no site received',
      days: PICTURE_DAYS,
      by: 'usedAt',
      order: 'accountId',
      sweep: 'pictures',
    },
  ],
  hostedVideos: { data: 'Videos', ...own },

  projects: { data: SITES, ...ofSite },
  integrations: { data: SITES, ...ofSite },
  connections: { data: SITES, ...ofSite },
  eventEndpoints: { data: 'Event endpoints', kept: 'until they or the account are deleted' },
  eventAttempts: { data: 'Attempts to send events', days: EVENT_DAYS, by: 'at', order: 'id' },
  policies: { data: SITES, ...ofSite },
  policyVersions: { data: SITES, ...ofSite },
  deputies: { data: SITES, ...ofSite },
  cmsImages: { data: SITES, ...ofSite },
  approvals: { data: 'Approvals: who decided what', ...ofSite },
  crowdworkCampaigns: { data: 'Crowdwork campaigns', ...ofSite },
  exchangeLinks: { data: 'Links between sites, and their credits', ...ofSite },
  exchangeLedger: { data: 'Links between sites, and their credits', ...ofSite },
  socialProfiles: { data: 'Social accounts and posts', ...ofSite },
  socialAccounts: { data: 'Social accounts and posts', ...ofSite },
  socialPosts: { data: 'Social accounts and posts', ...ofSite },
  changeSets: { data: 'Sets of changes, with the texts before and after', ...ofSite },
  changes: { data: 'Sets of changes, with the texts before and after', ...ofSite },
  siteMoves: { data: 'Moves of a site to another address', ...ofSite },
  siteMoveArticles: { data: 'Moves of a site to another address', ...ofSite },
  statements: { data: 'Statements, and the words of articles by which they are found', ...ofSite },
  articleWords: { data: 'Statements, and the words of articles by which they are found', ...withArticle },
  suggestions: { data: 'Suggestions, and effects of changes', ...ofSite },
  suggestionRuns: { data: 'Suggestions, and effects of changes', ...ofSite },
  pageChanges: { data: 'Suggestions, and effects of changes', ...ofSite },
  searchSources: { data: SEARCH, ...ofSite },
  searchConnections: { data: SEARCH, ...ofSite },
  searchDays: { data: SEARCH, ...ofSite },
  searchPages: { data: SEARCH, ...ofSite },
  searchPageDays: { data: SEARCH, ...ofSite },
  searchWindows: { data: SEARCH, ...ofSite },
  searchWindowRows: { data: SEARCH, ...ofSite },
  signedReceipts: { data: 'Signed receipts of articles', ...withArticle },
  receiptKeys: { data: COUNTS, kept: 'for ever: receipts are checked with them' },
  indexStates: { data: SEARCH, ...withArticle },
  reportMailings: { data: 'Monthly reports', ...ofSite },
  monthlyReports: { data: 'Monthly reports', ...ofSite },
  engineHosts: { data: SEARCH, ...ofSite },
  sitePages: { data: SEARCH, ...ofSite },
  projectKeywords: { data: SEARCH, ...ofSite },
  visibilityPrompts: { data: 'Questions to AI engines, and the numbers of each scan', ...ofSite },
  visibilitySchedules: { data: 'Questions to AI engines, and the numbers of each scan', ...ofSite },
  visibilityScans: { data: 'Questions to AI engines, and the numbers of each scan', ...ofSite },
  deliveries: [
    { data: 'Deliveries: their key, the hash of their text and the last answer', ...ofSite },
    {
      data: 'The text in a delivery, unless it is in the article’s revision',
      days: SENT_DAYS,
      by: 'updatedAt',
      order: 'id',
      sweep: 'texts',
    },
  ],
  deliveryAttempts: {
    data: 'Attempts of a delivery before its last',
    days: SENT_DAYS,
    by: 'startedAt',
    order: 'id',
    sweep: 'attempts',
  },

  articles: { data: 'Articles', kept: 'until they, the site or the account are deleted' },
  articleRevisions: [
    { data: 'Revisions of an article: the first, the newest 20, and those that were sent', ...withArticle },
    { data: 'Its other revisions', days: LOG_DAYS, by: 'createdAt', order: 'id', sweep: 'revisions' },
  ],
  articleDrafts: { data: 'Texts of articles that a person typed and did not save', days: DRAFT_DAYS, by: 'updatedAt' },
  articleWritings: { data: WORK_NOW, kept: 'until they end' },
  articleTranslations: { data: 'Groups of articles in several languages', ...withArticle },
  adoptedPosts: { data: 'Adopted posts as they were found', ...withArticle },
  exchangeCommitments: { data: 'Links that an article must have', ...withArticle },
  remoteVersions: { data: 'Earlier versions of a post at a CMS', kept: 'the newest ten of each article' },
  copies: { data: 'Copies of articles at followers: state and address', ...withArticle },
  liveChanges: { data: WORK_NOW, kept: 'until they end' },
  deletedArticles: { data: 'Deleted articles, in the bin of their site', days: BIN_DAYS, by: 'deletedAt' },

  auditLog: { data: 'The log of actions', days: LOG_DAYS, by: 'at', order: 'id' },
  visibilityAnswers: { data: ANSWERS, days: LOG_DAYS, by: 'askedAt', order: 'id', only: "state <> 'open'" },
  notices: { data: 'Notices to people', days: NOTICE_DAYS, by: 'createdAt', order: 'id' },
  screenshots: [
    { data: 'Records of screenshots', days: 90, by: 'createdAt', order: 'id' },
    { data: 'Words of a photographed page', days: 1, by: 'createdAt', clears: 'pageWords' },
  ],
  screenshotDays: { data: OWNERS, ...own },
  articleBatches: { data: 'Batches of articles and their results', days: 30, by: 'createdAt' },
  articleBatchResults: { data: 'Batches of articles and their results', kept: 'as long as their batch' },
  adoptions: { data: 'Records of adoptions', days: 90, by: 'updatedAt', order: 'id', only: "state <> 'running'" },
  billingEvents: { data: 'Names of payment events', days: 30, by: 'receivedAt' },
  outbox: { data: WORK, days: 7, by: 'doneAt', only: 'done_at is not null' },
  idempotencyRecords: { data: 'Answers kept under an idempotency key', ...expires, said: '24 hours' },
  keywordAnswers: {
    data: 'Keyword data',
    ...expires,
    said: 'seven days',
    // A call that asks again has the row.
    only: '(lease_until is null or lease_until <= now())',
  },
  searchAnswers: { data: 'Copies of answers from search numbers', ...expires, said: 'an hour' },
  accountExports: { data: 'Exports and archives', kept: 'seven days' },
  projectExports: { data: 'Exports and archives', kept: 'seven days' },
  projectImports: { data: 'Exports and archives', kept: 'seven days' },
  projectImportIds: { data: 'Exports and archives', kept: 'seven days' },

  personSessions: { data: SIGN_IN, ...expires, said: 'until they expire' },
  personVerifications: { data: SIGN_IN, ...expires, said: 'until they expire' },
  invitations: { data: SIGN_IN, ...expires, said: 'until they expire' },
  oauthRecords: { data: SIGN_IN, ...expires, said: 'until they expire', sweep: 'grants' },
  oauthGrants: { data: SIGN_IN, kept: 'until they expire' },

  videoSearches: { data: 'Searches for videos', days: 28, by: 'searchedAt' },
  inspectionDays: { data: SEARCH, days: 3, by: 'day' },
  engineReports: { data: 'Addresses that search engines were told about', days: 400, by: 'updatedAt' },
  bingReports: { data: 'Imported reports of Bing on AI answers: the newest 60 of a kind', ...ofSite },
  trafficDays: { data: VISITS, days: LOG_DAYS, by: 'day' },
  trafficCounts: { data: VISITS, days: LOG_DAYS, by: 'day' },
  videoQuota: { data: 'Searches for videos', days: 28, by: 'day' },
  retentionWalks: { data: COUNTS, kept: 'as long as the service runs' },
  noticeCursor: { data: COUNTS, kept: 'as long as the service runs' },
  reviewReplies: { data: WORK_NOW, kept: 'until they end' },
  visibilityModels: { data: COUNTS, kept: 'as long as the service runs' },
  visibilitySlots: { data: COUNTS, kept: 'as long as the service runs' },
} as const satisfies {
  [Name in keyof Tables]: Kept | Ends<ColumnOf<Tables[Name]>> | readonly (Kept | Ends<ColumnOf<Tables[Name]>>)[]
}

/** Every rule, with the name of its table's variable. */
export const RETENTION_RULES: readonly { table: keyof Tables; rule: RetentionRule }[] = (
  Object.entries(RETENTION) as [keyof Tables, RetentionRule | readonly RetentionRule[]][]
).flatMap(([table, rules]) => [rules].flat().map((rule) => ({ table, rule: rule as RetentionRule })))
