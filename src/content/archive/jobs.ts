import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Makes the archive of a project, and deletes it after some days. */
export const exportProjectJob = defineJob({
  name: 'archive.export_project',
  worker: 'background',
  payload: z.object({ export_id: id() }),
  key: 'export_project',
  id: 'export_id',
})

/** Makes a project of an archive, and forgets the import after some days. */
export const importProjectJob = defineJob({
  name: 'archive.import_project',
  worker: 'background',
  payload: z.object({ import_id: id() }),
  key: 'import_project',
  id: 'import_id',
})
