import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Makes the archive of a project, and deletes it when it expires. */
export const exportProjectJob = defineJob({
  name: 'archive.export_project',
  whenClosed: { runs: 'it sends nothing outside: owners may still take a copy' },
  payload: z.object({ export_id: id() }),
  key: 'export_project',
  id: 'export_id',
})

/** Creates a project from an archive, and deletes the import when it expires. */
export const importProjectJob = defineJob({
  name: 'archive.import_project',
  whenClosed: { runs: 'it sends nothing outside' },
  payload: z.object({ import_id: id() }),
  key: 'import_project',
  id: 'import_id',
})
