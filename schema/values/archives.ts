/** Kinds of rows in an archive of a project, in their order in the file, between `archive` and `end`. */
export const ARCHIVE_KINDS = [
  'project',
  'integration',
  'connection',
  'keyword',
  'page',
  'article',
  'revision',
  'translation',
  'delivery',
  'image',
] as const
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number]

/** Kinds of rows that other rows refer to. Integrations and connections share their ids. */
export const NUMBERED_KINDS = ['integration', 'article', 'delivery'] as const satisfies ArchiveKind[]
export type NumberedKind = (typeof NUMBERED_KINDS)[number]

/** Rows of each kind. */
export type ArchiveCounts = Partial<Record<ArchiveKind, number>>

/** Kind being written, and the key of the last row of it; empty before the first. */
export type ArchivePosition = { kind: ArchiveKind; after: readonly (number | string)[] }

export const IMPORT_STATES = ['importing', 'completed', 'failed'] as const
export const IMPORT_FOLDERS = ['project-imports', 'project-exports'] as const
