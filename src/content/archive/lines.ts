import * as z from 'zod/mini'
import { ORIGINS } from '../../../schema/values/adopted.ts'
import { ARCHIVE_KINDS, type ArchiveKind } from '../../../schema/values/archives.ts'
import { ARTICLE_STATUSES, ARTICLE_STYLES } from '../../../schema/values/articles.ts'
import { CONNECTED_PLATFORMS } from '../../../schema/values/connections.ts'
import { IMAGE_EXTENSIONS } from '../../../schema/values/media.ts'
import { APPROVAL_NEEDS, POLICY_TARGETS } from '../../../schema/values/policy.ts'
import { ARTICLE_PLANS } from '../../../schema/values/projects.ts'
import {
  ATTEMPT_STATUSES,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  INTEGRATION_STATUSES,
  PUBLISHING_PLATFORMS,
} from '../../../schema/values/publishing.ts'
import { id } from '../../platform/lib/fields.ts'
import { tagOf } from '../../platform/lib/languages.ts'
import { clip } from '../../platform/lib/text.ts'
import { isTimeZone } from '../../platform/lib/time.ts'
import { isOwnFields, MAX_FIELD_NAME } from '../articles/own-fields.ts'

/** Version of the archive format, written and read. */
export const FORMAT = 1

const LONG = 2_000_000

/** Returns a schema of text that PostgreSQL can store. */
const words = (max = 10_000) =>
  z.string().check(
    z.maxLength(max),
    z.refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not contain NUL or lone surrogates',
    }),
  )

const link = () =>
  words(2_000).check(
    z.refine((value) => value === '' || /^https?:\/\/[^\s]+$/i.test(value), { error: 'must be an http(s) address' }),
  )

const slug = () => words(300).check(z.regex(/^[a-z0-9-]+$/i, { error: 'must have letters, digits and hyphens only' }))
const moment = () =>
  z.iso
    .datetime()
    .check(z.refine((value) => value >= '1970' && value < '9999', { error: 'must be an instant from 1970 to 9998' }))
const number = () => z.int().check(z.gte(0), z.lte(2_147_483_647))
/** Returns a schema of a number that keeps growing after the import. */
const growing = (least: number) => z.int().check(z.gte(least), z.lte(1_000_000_000))
const orNull = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema)
const time = () => z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Returns the schema of the values of a platform's own fields. */
const fields = () => z.record(words(MAX_FIELD_NAME), z.unknown()).check(z.refine(isOwnFields))

const policy = () =>
  z.strictObject({
    needs_approval: z.enum(APPROVAL_NEEDS),
    approve_adopted: z.optional(z.boolean()),
    max_publications_per_day: orNull(number()),
    quiet_hours: orNull(z.strictObject({ from: time(), to: time() })),
    allowed_targets: orNull(z.array(z.enum(POLICY_TARGETS))),
    monthly_budget: z.strictObject({
      article_credits: orNull(number()),
      crowdwork_dollars: orNull(z.number().check(z.gte(0), z.lte(1_000_000))),
    }),
    frozen: z.boolean(),
    /** Absent in archives from before it was a rule; the project's time zone then. */
    timezone: z.optional(orNull(words(100).check(z.refine(isTimeZone, { error: 'must be a time zone' })))),
  })

const attempt = () =>
  z.strictObject({
    number: number(),
    status: z.enum(ATTEMPT_STATUSES),
    http_status: orNull(number()),
    duration_ms: orNull(number()),
    error: orNull(words()),
    response_excerpt: orNull(words()),
    started_at: moment(),
  })

const payload = () =>
  z.strictObject({
    id: words(100),
    title: words(),
    slug: words(),
    url: z.optional(words()),
    external_id: z.optional(words()),
    content_html: words(LONG),
    content_markdown: z.optional(words(LONG)),
    meta_description: words(),
    published_at: z.optional(words(100)),
    created_at: words(100),
    updated_at: words(100),
    image_url: link(),
    alt_text: words(),
    tags: z.array(words()).check(z.maxLength(200)),
    category: words(),
    author: words(),
    seo_title: z.optional(words()),
    canonical_url: z.optional(words()),
    fields: z.optional(fields()),
    status: z.enum(['Published', 'Draft']),
  })

const target = () => ({
  name: words(500),
  url: words(2_000),
  status: z.enum(INTEGRATION_STATUSES),
  created_at: moment(),
})

/**
 * Fields of each kind of line, besides `type`, built when the first such line is read. `POST /projects` has the rules for a
 * project's settings.
 */
export const LINES = {
  project: () => ({
    website_url: words(2_000),
    settings: z.record(z.string(), z.unknown()),
    article_plan: orNull(z.literal([...ARTICLE_PLANS])),
    policy: orNull(policy()),
  }),
  integration: () => ({ id: id(), platform: z.enum(PUBLISHING_PLATFORMS), ...target() }),
  connection: () => ({ platform: z.enum(CONNECTED_PLATFORMS), ...target() }),
  keyword: () => ({
    keyword: words(500),
    search_volume: orNull(number()),
    keyword_difficulty: orNull(z.number()),
    source: words(100),
    created_at: moment(),
  }),
  page: () => ({
    url: link(),
    title: words(),
    keyword: words(),
    meta_description: words(),
    read_at: orNull(moment()),
    seen_at: moment(),
    created_at: moment(),
  }),
  article: () => ({
    id: id(),
    status: z.enum(ARTICLE_STATUSES),
    title: words(500),
    keyword: words(500),
    slug: slug(),
    slug_given: z.boolean(),
    // Archives of earlier releases have only own articles.
    origin: z._default(z.enum(ORIGINS), 'own'),
    external_ref: z.optional(orNull(words(200).check(z.minLength(1)))),
    article_style: z.enum(ARTICLE_STYLES),
    content: words(LONG),
    meta_description: words(),
    feature_image: link(),
    alt_text: words(),
    category: words(),
    tags: z.array(words(500)).check(z.maxLength(200)),
    seo_title: words(),
    canonical_url: link(),
    // Archives of earlier releases have none.
    fields: z._default(fields(), {}),
    instructions: words(),
    scheduled_at: orNull(moment()),
    written_at: orNull(moment()),
    revision: growing(1),
    url: orNull(link()),
    published_at: orNull(moment()),
    remote_id: orNull(words(2_000)),
    remote_site: orNull(words(2_000)),
    generation: growing(0),
    sent_as_draft_at: orNull(moment()),
    created_at: moment(),
    updated_at: moment(),
  }),
  revision: () => ({
    article_id: id(),
    revision: growing(1),
    title: words(500),
    meta_description: words(),
    content: words(LONG),
    feature_image: orNull(link()),
    alt_text: orNull(words()),
    fields: z.optional(orNull(fields())),
    created_at: moment(),
  }),
  translation: () => ({
    article_id: id(),
    group: z.uuid(),
    language: words(100).check(
      z.refine((value) => value === '' || tagOf(value) !== undefined, { error: 'must be a BCP 47 code, or empty' }),
    ),
    created_at: moment(),
  }),
  delivery: () => ({
    id: id(),
    integration_id: id(),
    article_id: orNull(id()),
    replay_of: orNull(id()),
    event_type: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    idempotency_key: words(200),
    revision: number(),
    live: z.boolean(),
    publishes: z.boolean(),
    payload: payload(),
    attempts: z.array(attempt()).check(z.maxLength(1_000)),
    lookups: number(),
    error: orNull(words()),
    created_at: moment(),
    updated_at: moment(),
  }),
  image: () => ({
    hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    extension: z.enum(IMAGE_EXTENSIONS),
    width: number(),
    height: number(),
    data: z.string(),
  }),
} as const satisfies Record<ArchiveKind, () => Record<string, z.ZodMiniType>>

/** Row of one kind, as written in a line. */
export type Line<Kind extends ArchiveKind> = z.infer<z.ZodMiniObject<ReturnType<(typeof LINES)[Kind]>>>

/** First line of an archive. */
export const Head = z.strictObject({
  type: z.literal('archive'),
  format: z.literal(FORMAT),
  source_url: link().check(z.minLength(1)),
  project_id: id(),
  exported_at: moment(),
})

/** Last line of an archive: the number of rows of each kind. */
export const End = z.strictObject({
  type: z.literal('end'),
  counts: z.record(z.string(), number()),
})

/** Line of an archive after reading: its kind and its row. */
export type ReadLine = { [Kind in ArchiveKind]: { kind: Kind; row: Line<Kind> } }[ArchiveKind]

const schemas = new Map<string, z.ZodMiniType>()
const schemaOf = (kind: ArchiveKind): z.ZodMiniType => {
  const known = schemas.get(kind)
  if (known) return known
  const made = z.strictObject({ type: z.literal(kind), ...LINES[kind]() })
  schemas.set(kind, made)
  return made
}

/** Error that says why an archive cannot be imported. */
export class BadArchive extends Error {}

/** Reads the JSON of a line. Throws `BadArchive`. */
export const jsonIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new BadArchive('a line is not a JSON object')
}

/** Returns the path and message of the first fault of a value. */
export const faultOf = (error: z.core.$ZodError): string => {
  const [issue] = error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  return clip(`${path === '' ? 'the line' : path}: ${issue?.message ?? 'is not valid'}`, 300)
}

/** Reads a line between the first and the last. Throws `BadArchive`. */
export const readLine = (text: string): ReadLine => {
  const value = jsonIn(text)
  const kind = ARCHIVE_KINDS.find((one) => one === value.type)
  if (kind === undefined) throw new BadArchive(`a line has the type ${JSON.stringify(value.type)?.slice(0, 50)}`)
  const read = schemaOf(kind).safeParse(value)
  if (!read.success) throw new BadArchive(`${kind}: ${faultOf(read.error)}`)
  return { kind, row: read.data } as ReadLine
}
