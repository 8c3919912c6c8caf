import { eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'

/** Lock for a statement that counts a project's prompts or scans: calls at the same moment count one after the other. */
export const projectLock = (projectId: number): SQL[] => [
  sql`select ${projects.id} from ${projects} where ${eq(projects.id, projectId)} for no key update`,
]
