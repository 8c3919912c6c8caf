import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { id, means } from '../../platform/lib/fields.ts'
import { upload } from '../../platform/lib/file-fields.ts'

/** Archive stored in the bucket. It is deleted after the request unless `hold` is called. */
export type TakenArchive = { name: string; parts: number; sourceUrl: string; hold: () => void }

/** Body of `POST /projects/import`, JSON or a form, with exactly one of the two fields. */
export const ImportProject = z.object({
  file: means(
    'Archive, in a form. Send this or `export_id`.',
    z.optional(
      upload<TakenArchive>('in a form: an archive as `GET /exports/:id/archive` sends it, plain or packed with gzip'),
    ),
    'the archive of `export_id`',
  ),
  export_id: means(
    'ID of a ready archive that this service created for the account. Send this or `file`.',
    z.optional(id()),
    'the uploaded `file`',
  ),
})

const ADMIN = 'a person must give it to the key, with their password'

/** Largest form: an archive of 90 MiB, and the form around it. */
const MAX_FORM_BYTES = 91 * 1024 * 1024

/** Endpoints that move projects from one account or service to another. */
export const archiveOperations = {
  exportProject: {
    id: 'projects.export',
    method: 'POST',
    path: '/projects/:id/export',
    perMinute: 3,
    typicalSeconds: 30,
    scope: 'admin',
    scopeReason: ADMIN,
    summary:
      'Starts an archive of one project: settings, articles, revisions, images and deliveries, without secrets. The archive is kept for seven days.',
    success: [202],
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  getExport: {
    id: 'exports.get',
    method: 'GET',
    path: '/exports/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the progress of a project archive.',
    errors: ['not_found', 'forbidden'],
  },
  sendArchive: {
    id: 'exports.archive',
    method: 'GET',
    path: '/exports/:id/archive',
    perMinute: 10,
    typicalSeconds: 10,
    scope: 'read',
    summary: 'Downloads a project archive as JSON Lines, one row per line, for `POST /projects/import`.',
    produces: 'application/x-ndjson',
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  importProject: {
    id: 'projects.import',
    method: 'POST',
    path: '/projects/import',
    perMinute: 3,
    costs: [{ unit: 'project_slots', amount: 1, note: 'one project slot, if one is free; no credit' }],
    typicalSeconds: 30,
    scope: 'write',
    summary:
      'Creates a project from an archive: a form (`multipart/form-data`) with `file`, or JSON with the `export_id` of an archive of this service. Nothing is published. Planned articles become drafts and keep their date. Integrations are disconnected.',
    success: [202],
    json: ImportProject,
    upload: { field: 'file', maxBytes: MAX_FORM_BYTES, integers: ['export_id'] },
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  getImport: {
    id: 'imports.get',
    method: 'GET',
    path: '/imports/:id',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns the progress of an import: the new project, or the reason for the failure. A failed import leaves no data.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
