import * as z from 'zod/mini'
import { ARCHIVE_KINDS, IMPORT_STATES } from '../../../schema/values/archives.ts'
import { EXPORT_STATES } from '../../../schema/values/people.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { archiveOperations } from './operations.ts'

const counts = z.record(z.string(), count())

/** Answers of the operations on archives. */
export const archiveAnswers = {
  exportProject: {
    202: body({
      export_id: means('ID of the archive, the `:id` in `GET /exports/:id`.', id()),
      project_id: means('ID of the project in the archive.', id()),
      status: selfExplanatory(z.literal('making')),
      kept_until: means('Time when the archive is deleted.', instant()),
      message: message(),
    }),
  },
  getExport: {
    200: body({
      export_id: selfExplanatory(id()),
      project_id: means('ID of the project in the archive.', id()),
      status: means('`ready`: it can be downloaded. `failed`: request another one.', z.enum(EXPORT_STATES)),
      step: means('Kind of rows that is being written. Null after the end.', z.nullable(z.enum(ARCHIVE_KINDS))),
      rows: means('Number of written rows.', count()),
      counts: means('Number of written rows, by kind.', counts),
      bytes: means('Number of written bytes.', count()),
      created_at: selfExplanatory(instant()),
      kept_until: means('Time when the archive is deleted.', instant()),
    }),
  },
  sendArchive: {
    200: z.looseObject({
      type: means(
        'Kind of the row: `archive` first, `end` last. Each kind has its own fields.',
        z.enum(['archive', ...ARCHIVE_KINDS, 'end']),
      ),
    }),
  },
  importProject: {
    202: body({
      import_id: means('ID of the import, the `:id` in `GET /imports/:id`.', id()),
      status: selfExplanatory(z.literal('importing')),
      message: message(),
    }),
  },
  getImport: {
    200: body({
      import_id: selfExplanatory(id()),
      status: means('`failed`: see `error`. Nothing of the project is kept.', z.enum(IMPORT_STATES)),
      parts: means('Number of parts of the archive.', count()),
      parts_read: means('Number of parts whose rows are written.', count()),
      counts: means('Number of written rows, by kind.', counts),
      project_id: means('ID of the new project. Null until it is complete.', z.nullable(id())),
      error: means('Reason for the failure. Null if the import did not fail.', z.nullable(z.string())),
      note: means('Reason why the project is archived. Null if it is active.', z.nullable(z.string())),
      created_at: selfExplanatory(instant()),
      kept_until: means('Time when this record is deleted.', instant()),
    }),
  },
} satisfies AnswersOf<typeof archiveOperations>
