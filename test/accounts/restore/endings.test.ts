import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { ENDINGS } from '../../../src/accounts/restore/endings.ts'
import { TABLES } from '../../support/tables.ts'

const [content, numbers, work, theirs] = [
  'content, restored on purpose',
  'numbers and answers of others',
  'work and its progress',
  'another service has the truth, and is asked',
]

/** Tables in which nothing ends that a restore must not bring back, and why. */
const NOTHING_ENDS: Record<string, string> = {
  articles: content,
  article_revisions: content,
  article_drafts: content,
  article_writings: work,
  audit_log: content,
  outbox: work,
  idempotency_records: work,
  billing_events: 'Stripe sends an event again, which does nothing',
  account_exports: 'expire by themselves',
  project_exports: 'expire by themselves',
  project_imports: work,
  project_import_ids: work,
  event_attempts: work,
  deliveries: content,
  delivery_attempts: content,
  remote_versions: content,
  adopted_posts: content,
  adoptions: work,
  article_translations: content,
  site_moves: work,
  site_move_articles: work,
  article_batches: work,
  article_batch_results: work,
  change_sets: content,
  changes: content,
  statements: content,
  article_words: numbers,
  deleted_articles: content,
  live_changes: work,
  copies: work,
  cms_images: theirs,
  page_changes: numbers,
  suggestions: content,
  suggestion_runs: work,
  exchange_links: 'the live pages have the truth, and are read',
  exchange_ledger: content,
  exchange_commitments: content,
  hosted_images: content,
  hosted_videos: content,
  screenshots: content,
  screenshot_days: numbers,
  video_searches: numbers,
  video_quota: numbers,
  keyword_answers: numbers,
  project_keywords: numbers,
  site_pages: numbers,
  engine_hosts: 'read again before each report',
  engine_reports: numbers,
  search_sources: numbers,
  search_days: numbers,
  search_pages: numbers,
  search_page_days: numbers,
  search_windows: numbers,
  search_window_rows: numbers,
  search_answers: numbers,
  index_states: numbers,
  receipt_keys: 'public keys, which never end',
  signed_receipts: content,
  inspection_days: numbers,
  bing_reports: numbers,
  traffic_days: numbers,
  traffic_counts: numbers,
  visibility_scans: numbers,
  visibility_answers: numbers,
  visibility_models: numbers,
  visibility_slots: work,
  notices: work,
  notice_cursor: work,
  retention_walks: work,
  social_profiles: theirs,
  crowdwork_campaigns: theirs,
  review_replies: work,
}

it('every table has its endings in the list, or a reason why nothing ends in it', () => {
  const listed = [...new Set(ENDINGS.map(({ table }) => getTableName(table)))]
  const names = TABLES.map((table) => getTableConfig(table).name)
  expect([...listed, ...Object.keys(NOTHING_ENDS)].sort()).toEqual(names.sort())
})

/** Words in the names of columns that record an ending, or a limit. */
const ENDS =
  /revoked|removed|suspended|held|disconnect|frozen|budget|monthly_|password$|token_hash|lapsed|digest_at|allowed_|^role$|erase_at/

/** Columns with such a name that record none. */
const NONE = ['people.role', 'visibility_slots.held_until']

it('every column that records an ending is copied, or its row ends or is added', () => {
  const kept = TABLES.flatMap((table) => {
    const name = getTableName(table)
    const endings = ENDINGS.filter((one) => one.table === table)
    return getTableConfig(table)
      .columns.map((column) => column.name)
      .filter((column) => ENDS.test(column) && !endings.some((one) => one.columns.includes(column)))
      .map((column) => `${name}.${column}`)
  })
  expect(kept).toEqual(NONE)
})
