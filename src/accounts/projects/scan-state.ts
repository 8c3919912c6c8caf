import type { SQL } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'

/** Columns that the scan of a project's site may change. */
type ScanColumn =
  | 'businessName'
  | 'businessDescription'
  | 'language'
  | 'sitemapUrl'
  | 'blogRootUrl'
  | 'topics'
  | 'siteScanState'
  | 'siteScanError'
  | 'siteScannedAt'
  | 'siteReadAt'

/** Writes the state of a scan of a project's site, and what it found. */
export const changeScan = (
  db: Db,
  changes: Pick<PgUpdateSetSource<typeof projects>, ScanColumn>,
  where: SQL | undefined,
) => db.update(projects).set(changes).where(where)
