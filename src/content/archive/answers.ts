import * as z from 'zod/mini'
import { ARCHIVE_KINDS, IMPORT_STATES } from '../../../schema/values/archives.ts'
import { EXPORT_STATES } from '../../../schema/values/people.ts'
import { type AnswersOf, body, count, id, instant } from '../../platform/http/answers.ts'
import type { archiveOperations } from './operations.ts'

const counts = z.record(z.string(), count())

/** Answers of the operations on archives. */
export const archiveAnswers = {
  exportProject: {
    202: body({
      export_id: id(),
      project_id: id(),
      status: z.literal('making'),
      kept_until: instant(),
      message: z.string(),
    }),
  },
  getExport: {
    200: body({
      export_id: id(),
      project_id: id(),
      status: z.enum(EXPORT_STATES),
      step: z.nullable(z.enum(ARCHIVE_KINDS)),
      rows: count(),
      counts,
      bytes: count(),
      created_at: instant(),
      kept_until: instant(),
    }),
  },
  sendArchive: { 200: z.looseObject({ type: z.enum(['archive', ...ARCHIVE_KINDS, 'end']) }) },
  importProject: {
    202: body({ import_id: id(), status: z.literal('importing'), message: z.string() }),
  },
  getImport: {
    200: body({
      import_id: id(),
      status: z.enum(IMPORT_STATES),
      parts: count(),
      parts_read: count(),
      counts,
      project_id: z.nullable(id()),
      error: z.nullable(z.string()),
      note: z.nullable(z.string()),
      created_at: instant(),
      kept_until: instant(),
    }),
  },
} satisfies AnswersOf<typeof archiveOperations>
