import type { Tables } from './retention.ts'

/** Rows of a table in which the sweep of unused pictures looks for pictures: all of their columns. */
type Searched = {
  /** Column by which the rows are read: the id of the row, or of its parent. */
  by: string
  /** Table of the parents, which has the account. Default: the table itself. */
  parent?: 'articles' | 'changeSets' | 'projects'
  /** Type of that column, if it is no number. */
  ids?: 'text'
  /** Number of ids that are read at once: few, if the texts are long. */
  batch: number
  /** SQL condition: the pictures of such a row are on a site of its owner, and stay for good. */
  sent?: string
}

/** Reason why no row of a table refers to a hosted picture. */
type NotSearched = { not: string }

export type PictureRule = Searched | NotSearched

const NAMES = { not: 'names, addresses, roles and choices of accounts and people' }
const SECRETS = { not: 'sealed, hashed, or for signing in' }
const NUMBERS = { not: 'numbers, states and ids' }
const PAGES = { not: 'addresses of pages, words and search numbers' }
const ENGINES = { not: 'questions to AI engines, and what they answered' }
const OUTREACH = { by: 'id', ids: 'text', batch: 500 } as const

/**
 * Places where a hosted picture can be in use, for each table: the sweep (`src/content/media/forget.ts`) deletes what none of these
 * rows names.
 *
 * A row is searched with all of its columns, so a new column of a searched table is on the list. A table without an entry does
 * not compile.
 */
export const PICTURES = {
  articles: { by: 'id', batch: 50, sent: 'published_at is not null' },
  articleRevisions: { by: 'article_id', parent: 'articles', batch: 10 },
  articleWritings: { by: 'article_id', parent: 'articles', batch: 200 },
  articleDrafts: { by: 'article_id', parent: 'articles', batch: 10 },
  adoptedPosts: { by: 'article_id', parent: 'articles', batch: 50, sent: 'true' },
  remoteVersions: { by: 'article_id', parent: 'articles', batch: 20, sent: 'true' },
  deletedArticles: { by: 'article_id', batch: 20, sent: "article ->> 'published_at' is not null" },
  deliveries: { by: 'id', batch: 50, sent: 'true' },
  changes: { by: 'set_id', parent: 'changeSets', batch: 5 },
  approvals: { by: 'id', batch: 50 },
  suggestions: { by: 'id', batch: 50 },
  articleBatches: { by: 'id', batch: 5 },
  projects: { by: 'id', batch: 50 },
  integrations: { by: 'id', batch: 200 },
  socialPosts: { by: 'id', batch: 200 },
  crowdworkCampaigns: { by: 'id', batch: 200 },
  screenshots: { by: 'id', batch: 500 },
  auditLog: { by: 'id', batch: 500 },
  outbox: { by: 'id', batch: 200 },
  outreachActions: OUTREACH,
  outreachLeads: OUTREACH,
  outreachPersons: OUTREACH,
  outreachIdentities: OUTREACH,

  hostedImages: { not: 'the pictures themselves' },
  hostedVideos: { not: 'videos, which stay' },
  cmsImages: { not: 'addresses of the copies at a CMS' },
  idempotencyRecords: { not: 'kept answers end after 24 hours' },
  accountExports: { not: 'files of seven days' },
  projectExports: { not: 'files of seven days, with the bytes of their pictures' },
  projectImports: { not: 'files of seven days, with the bytes of their pictures' },
  projectImportIds: NUMBERS,
  accounts: NAMES,
  apiKeys: SECRETS,
  subscriptions: NUMBERS,
  people: NAMES,
  personCredentials: SECRETS,
  personPasskeys: SECRETS,
  personSessions: SECRETS,
  personVerifications: SECRETS,
  memberships: NAMES,
  invitations: NAMES,
  deputies: NAMES,
  accountDeletions: NAMES,
  noticeSettings: NAMES,
  noticeChoices: NAMES,
  notices: NUMBERS,
  noticeCursor: NUMBERS,
  providerKeys: SECRETS,
  oauthRecords: SECRETS,
  oauthGrants: SECRETS,
  outreachMirrors: NUMBERS,
  outreachSuppressions: NAMES,
  outreachErasures: SECRETS,
  connections: SECRETS,
  policies: NUMBERS,
  policyVersions: NUMBERS,
  deliveryAttempts: { not: 'what a receiver answered' },
  signedReceipts: { not: 'signed words about posts that a site received, which keep their pictures' },
  receiptKeys: SECRETS,
  eventEndpoints: SECRETS,
  eventAttempts: NUMBERS,
  copies: { not: 'states, and the address and title of a post' },
  liveChanges: NUMBERS,
  articleBatchResults: NUMBERS,
  adoptions: NUMBERS,
  siteMoves: { not: 'addresses of sites' },
  siteMoveArticles: { not: 'addresses of articles' },
  articleTranslations: NUMBERS,
  statements: { not: 'sentences without pictures' },
  articleWords: NUMBERS,
  monthlyReports: NUMBERS,
  reportMailings: NUMBERS,
  changeSets: { not: 'a name; its texts are in the changes' },
  reviewReplies: NUMBERS,
  socialProfiles: NUMBERS,
  socialAccounts: SECRETS,
  exchangeLinks: PAGES,
  exchangeLedger: NUMBERS,
  exchangeCommitments: PAGES,
  suggestionRuns: NUMBERS,
  pageChanges: NUMBERS,
  searchSources: PAGES,
  searchConnections: SECRETS,
  searchAnswers: PAGES,
  searchDays: PAGES,
  searchPages: PAGES,
  searchPageDays: PAGES,
  searchWindows: PAGES,
  searchWindowRows: PAGES,
  indexStates: PAGES,
  inspectionDays: PAGES,
  engineHosts: PAGES,
  engineReports: PAGES,
  bingReports: NUMBERS,
  trafficDays: NUMBERS,
  trafficCounts: NUMBERS,
  sitePages: PAGES,
  projectKeywords: PAGES,
  keywordAnswers: PAGES,
  videoSearches: { not: 'videos of others' },
  videoQuota: NUMBERS,
  visibilityAnswers: ENGINES,
  visibilityModels: ENGINES,
  visibilityPrompts: ENGINES,
  visibilityScans: ENGINES,
  visibilitySchedules: ENGINES,
  visibilitySlots: ENGINES,
  screenshotDays: NUMBERS,
  billingEvents: NUMBERS,
  retentionWalks: NUMBERS,
} as const satisfies { [Name in keyof Tables]: PictureRule }
