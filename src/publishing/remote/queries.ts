import { and, desc, eq, inArray } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import { cmsImages, remoteVersions } from '../../../schema/remote.ts'
import type { Db } from '../../db/client.ts'

/** The kept versions of an article at the project's present target, newest first; of one id where it is given. */
export const versionsOf = (db: Db, articleId: number, versionId: number | undefined) =>
  db
    .select({ id: remoteVersions.id, version: remoteVersions.version, integrationId: remoteVersions.integrationId })
    .from(remoteVersions)
    .innerJoin(integrations, and(eq(integrations.id, remoteVersions.integrationId), eq(integrations.status, 'Active')))
    .where(
      and(
        eq(remoteVersions.articleId, articleId),
        versionId === undefined ? undefined : eq(remoteVersions.id, versionId),
      ),
    )
    .orderBy(desc(remoteVersions.id))
    .limit(1)

export const hostedImagesOf = (db: Db, integrationId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(cmsImages)
    .where(and(eq(cmsImages.integrationId, integrationId), inArray(cmsImages.urlHash, hashes)))
