import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { projects } from './projects.ts'
import {
  type ArchiveCounts,
  type ArchivePosition,
  IMPORT_FOLDERS,
  IMPORT_STATES,
  NUMBERED_KINDS,
} from './values/archives.ts'
import { EXPORT_STATES } from './values/people.ts'

/** Archives of single projects; kept in the bucket, in parts, until `expires_at`. */
export const projectExports = pgTable(
  'project_exports',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    /** Part of the object names in the bucket. It cannot be guessed. */
    name: text('name').notNull(),
    requestedBy: text('requested_by').notNull(),
    state: text('state', { enum: EXPORT_STATES }).notNull(),
    /** Kind of row being written, and the last row of it; null before the first. */
    position: jsonb('position').$type<ArchivePosition>(),
    parts: integer('parts').notNull().default(0),
    counts: jsonb('counts').$type<ArchiveCounts>().notNull().default({}),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('project_exports_account').on(t.accountId, t.id),
    index('project_exports_project').on(t.projectId, t.createdAt),
    uniqueIndex('project_exports_making_unique').on(t.projectId).where(sql`${t.state} = 'making'`),
    check('project_exports_state_check', oneOf(t.state, EXPORT_STATES)),
  ],
)

/** Archives being imported as projects. Their parts stay in the bucket until the import ends. */
export const projectImports = pgTable(
  'project_imports',
  {
    id: identity(),
    accountId: accountId(),
    /** Folder in the bucket: of uploaded archives, or of archives exported by this service. */
    folder: text('folder', { enum: IMPORT_FOLDERS }).notNull(),
    name: text('name').notNull(),
    state: text('state', { enum: IMPORT_STATES }).notNull(),
    /** Address of the service that made the archive. Its image addresses become addresses of this service. */
    sourceUrl: text('source_url').notNull(),
    /** Number of parts in the bucket, and of parts whose rows are written. */
    parts: integer('parts').notNull(),
    partsRead: integer('parts_read').notNull().default(0),
    /** Lines of the next part whose rows are written. */
    linesRead: integer('lines_read').notNull().default(0),
    counts: jsonb('counts').$type<ArchiveCounts>().notNull().default({}),
    /** The new project; null before its row is written, and after a failed import. */
    projectId: integer('project_id').references(() => projects.id, { onDelete: 'set null' }),
    error: text('error'),
    /** Actor who asked for it; null in rows from before this column. */
    requestedBy: text('requested_by'),
    /** Remark on the new project, for people. */
    note: text('note'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('project_imports_account').on(t.accountId, t.id),
    index('project_imports_project').on(t.projectId).where(sql`${t.projectId} is not null`),
    uniqueIndex('project_imports_running_unique').on(t.accountId).where(sql`${t.state} = 'importing'`),
    check('project_imports_state_check', oneOf(t.state, IMPORT_STATES)),
    check('project_imports_folder_check', oneOf(t.folder, IMPORT_FOLDERS)),
  ],
)

/** Ids in an archive and the ids of their new rows. Kept only while the import runs. */
export const projectImportIds = pgTable(
  'project_import_ids',
  {
    importId: integer('import_id')
      .notNull()
      .references(() => projectImports.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: NUMBERED_KINDS }).notNull(),
    oldId: integer('old_id').notNull(),
    newId: integer('new_id').notNull(),
  },
  (t) => [
    primaryKey({ name: 'project_import_ids_pkey', columns: [t.importId, t.kind, t.oldId] }),
    check('project_import_ids_kind_check', oneOf(t.kind, NUMBERED_KINDS)),
  ],
)
