import { eq } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'

/** Holds a project while its prompts or scans are counted: calls at the same moment count one after the other. */
export const lockProject = (db: Db, projectId: number) =>
  db.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('no key update')
