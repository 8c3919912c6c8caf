import * as z from 'zod/mini'
import { id } from '../../platform/lib/fields.ts'
import { upload } from '../../platform/lib/upload.ts'

/** An archive that was taken in, in the bucket: it stays there if `hold` was called. */
export type TakenArchive = { name: string; parts: number; sourceUrl: string; hold: () => void }

/** Body of `POST /projects/import`, JSON or a form: exactly one of the two. */
export const ImportProject = z.object({
  file: z.optional(
    upload<TakenArchive>('in a form: an archive as `GET /exports/:id/archive` sends it, plain or packed with gzip'),
  ),
  export_id: z.optional(id()),
})
