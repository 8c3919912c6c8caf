import type { articles } from '../../../schema/articles.ts'

type Column = keyof typeof articles.$inferSelect

/** Reason why a field is left out. */
type No = `no: ${string}`

/** Field that callers write, and everything that keeps, returns or shows it. */
type Written = {
  /** Name in requests, audit entries and front matter. */
  name: string
  /** `sent`: the column gets the sent value. `rule`: a rule makes the value from it. */
  value: 'sent' | 'rule'
  /** True if readers or search engines see it. A change of it makes a new revision. */
  isSeen: boolean
  /** Part of a post that a sync of a published article sends. */
  part: string
  /** Undo restores it from the kept revision, or from the audit entry of the change. */
  undo: 'revision' | 'entry' | No
  /** Name in archives. */
  archive: string
  frontMatter: true | No
  /** Folder or file of the page with its control. */
  page: string
}

/** Column that the service alone writes. */
type Own = { archive: string }

const DRAFT = 'no: an imported article is a draft or published, and nothing is in progress'
const JUDGED = 'no: the import judges the content again'

const TEXT = 'src/pages/site/article/text.tsx'
const SETTINGS = 'src/pages/site/article/settings.tsx'

/**
 * Every column of an article: what writes, keeps, restores, exports and shows it, or why nothing does.
 *
 * The lists of the verbs, the archive and the command line are made from it.
 */
export const ARTICLE_FIELDS = {
  title: {
    name: 'title',
    value: 'sent',
    isSeen: true,
    part: 'title',
    undo: 'revision',
    archive: 'title',
    frontMatter: true,
    page: TEXT,
  },
  content: {
    name: 'content',
    value: 'rule',
    isSeen: true,
    part: 'html',
    undo: 'revision',
    archive: 'content',
    frontMatter: 'no: it is the text below the front matter',
    page: TEXT,
  },
  metaDescription: {
    name: 'meta_description',
    value: 'sent',
    isSeen: true,
    part: 'metaDescription',
    undo: 'revision',
    archive: 'meta_description',
    frontMatter: true,
    page: TEXT,
  },
  featureImage: {
    name: 'feature_image',
    value: 'sent',
    isSeen: true,
    part: 'image',
    undo: 'revision',
    archive: 'feature_image',
    frontMatter: true,
    page: SETTINGS,
  },
  altText: {
    name: 'alt_text',
    value: 'sent',
    isSeen: true,
    part: 'image',
    undo: 'revision',
    archive: 'alt_text',
    frontMatter: true,
    page: SETTINGS,
  },
  category: {
    name: 'category',
    value: 'sent',
    isSeen: true,
    part: 'category',
    undo: 'entry',
    archive: 'category',
    frontMatter: true,
    page: SETTINGS,
  },
  tags: {
    name: 'tags',
    value: 'sent',
    isSeen: true,
    part: 'tags',
    undo: 'entry',
    archive: 'tags',
    frontMatter: true,
    page: SETTINGS,
  },
  seoTitle: {
    name: 'seo_title',
    value: 'sent',
    isSeen: true,
    part: 'seoTitle',
    undo: 'entry',
    archive: 'seo_title',
    frontMatter: true,
    page: SETTINGS,
  },
  canonicalUrl: {
    name: 'canonical_url',
    value: 'sent',
    isSeen: true,
    part: 'canonicalUrl',
    undo: 'entry',
    archive: 'canonical_url',
    frontMatter: true,
    page: SETTINGS,
  },
  fields: {
    name: 'fields',
    value: 'sent',
    isSeen: true,
    part: 'fields',
    undo: 'revision',
    archive: 'fields',
    frontMatter: 'no: the front matter of a file has no values with names of their own',
    page: 'no: the platform of the site decides which there are',
  },
  mainKeyword: {
    name: 'keyword',
    value: 'sent',
    isSeen: true,
    part: 'no: the post does not have it',
    undo: 'entry',
    archive: 'keyword',
    frontMatter: true,
    page: SETTINGS,
  },
  publishedAt: {
    name: 'published_at',
    value: 'rule',
    isSeen: true,
    part: 'no: a published post keeps its date',
    undo: 'entry',
    archive: 'published_at',
    frontMatter: true,
    page: SETTINGS,
  },
  slug: {
    name: 'slug',
    value: 'rule',
    isSeen: false,
    part: 'no: a published post keeps its URL',
    undo: 'entry',
    archive: 'slug',
    frontMatter: true,
    page: SETTINGS,
  },
  articleStyle: {
    name: 'article_style',
    value: 'sent',
    isSeen: false,
    part: 'no: the post does not have it',
    undo: 'entry',
    archive: 'article_style',
    frontMatter: true,
    page: SETTINGS,
  },
  instructions: {
    name: 'instructions',
    value: 'sent',
    isSeen: false,
    part: 'no: the post does not have it',
    undo: 'no: they are too long for an audit entry',
    archive: 'instructions',
    frontMatter: true,
    page: SETTINGS,
  },
  status: {
    name: 'status',
    value: 'rule',
    isSeen: false,
    part: 'no: publishing changes it',
    undo: 'entry',
    archive: 'status',
    frontMatter: true,
    page: TEXT,
  },
  scheduledAt: {
    name: 'scheduled_date',
    value: 'rule',
    isSeen: false,
    part: 'no: the post does not have it',
    undo: 'entry',
    archive: 'scheduled_at',
    frontMatter: true,
    page: TEXT,
  },
  externalRef: {
    name: 'external_ref',
    value: 'rule',
    isSeen: false,
    part: 'no: the post does not have it',
    undo: 'no: it never changes',
    archive: 'external_ref',
    frontMatter: 'no: `galley_id` is the field of the file',
    page: 'no: it names the file or row of a program, and never changes',
  },
  id: { archive: 'id' },
  accountId: { archive: 'no: the article belongs to the account that imports it' },
  projectId: { archive: 'no: an archive has one project' },
  origin: { archive: 'origin' },
  slugGiven: { archive: 'slug_given' },
  contentSent: { archive: JUDGED },
  scheduledDay: { archive: DRAFT },
  scheduledStep: { archive: DRAFT },
  dueTakenAt: { archive: DRAFT },
  claimedAt: { archive: DRAFT },
  writingStartedAt: { archive: DRAFT },
  writtenAt: { archive: 'written_at' },
  writeAfter: { archive: DRAFT },
  generationError: { archive: DRAFT },
  progress: { archive: DRAFT },
  seo: { archive: JUDGED },
  contentSketch: { archive: JUDGED },
  linkedKeys: { archive: JUDGED },
  partnersCommittedAt: { archive: DRAFT },
  revision: { archive: 'revision' },
  publishState: { archive: DRAFT },
  publishError: { archive: DRAFT },
  publishLeaseUntil: { archive: DRAFT },
  publishToken: { archive: DRAFT },
  siteLacks: { archive: DRAFT },
  remoteId: { archive: 'remote_id' },
  remoteSite: { archive: 'remote_site' },
  generation: { archive: 'generation' },
  sentAsDraftAt: { archive: 'sent_as_draft_at' },
  url: { archive: 'url' },
  receipt: { archive: 'no: it describes a check by the service that made the archive' },
  createdAt: { archive: 'created_at' },
  updatedAt: { archive: 'updated_at' },
  searchText: { archive: 'no: it is made from other columns' },
} as const satisfies Record<Column, Written | Own>

type Fields = typeof ARTICLE_FIELDS

/** Column that callers write. */
export type WrittenColumn = { [C in Column]: Fields[C] extends { name: string } ? C : never }[Column]

/** Column with its control among the settings of an article. */
export type SettingsColumn = NameOf<'page', typeof SETTINGS>

type NameOf<Property extends keyof Written, Value> = {
  [C in WrittenColumn]: Fields[C] extends Record<Property, Value> ? C : never
}[WrittenColumn]

const columns = Object.keys(ARTICLE_FIELDS) as Column[]

const written = columns.filter((column): column is WrittenColumn => 'name' in ARTICLE_FIELDS[column])

/** Returns the written columns whose property has a value. */
const having = <Property extends keyof Written, Value extends Written[Property]>(property: Property, value: Value) =>
  written.filter((column): column is NameOf<Property, Value> => {
    const field: Written = ARTICLE_FIELDS[column]
    return field[property] === value
  })

/** Columns that get the sent value. */
export const SENT_COLUMNS = having('value', 'sent')

/** Columns that readers see. A change in one of them makes a new revision. */
export const SEEN_COLUMNS = having('isSeen', true)

/** Columns that a revision keeps. */
export const REVISION_COLUMNS = having('undo', 'revision')

/** Names of the fields that a revision keeps. */
export const REVISION_FIELDS: readonly string[] = REVISION_COLUMNS.map((column) => ARTICLE_FIELDS[column].name)

/** Columns that an audit entry keeps, because revisions do not. */
export const ENTRY_COLUMNS = having('undo', 'entry')

/** Columns of a published article that a sync saves and sends. */
export const LIVE_COLUMNS = written.filter(
  (column): column is Exclude<WrittenColumn, NameOf<'part', No>> => !ARTICLE_FIELDS[column].part.startsWith('no: '),
)

/** Columns with their control among the settings of an article. */
export const SETTINGS_COLUMNS = having('page', SETTINGS)

/** Names of the fields that the front matter of a file may have. */
export const FRONT_MATTER = having('frontMatter', true).map((column) => ARTICLE_FIELDS[column].name)

type ArchivedColumn = { [C in Column]: Fields[C]['archive'] extends No ? never : C }[Column]

/** Columns that archives have. */
export const ARCHIVED_COLUMNS = columns.filter(
  (column): column is ArchivedColumn => !ARTICLE_FIELDS[column].archive.startsWith('no: '),
)

const IN_PROGRESS = columns.filter((column) => ARTICLE_FIELDS[column].archive === DRAFT)

/** Columns that an article from the bin gets back: all but its date, its state, and work that was in progress. */
export const BIN_COLUMNS = columns.filter(
  (column) => ![...IN_PROGRESS, 'status', 'scheduledAt', 'receipt', 'updatedAt', 'searchText'].includes(column),
)
