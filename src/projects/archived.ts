import { ApiError } from '../lib/errors.ts'

/** Refuses to publish anything of an archived project. Throws 409 `project_archived`. */
export const refuseArchived = (projectId: number, status: string): void => {
  if (status !== 'Archived') return
  throw new ApiError('project_archived', 'The project is archived, so nothing of it is published. Nothing was sent.', {
    next_calls: [
      {
        method: 'POST',
        path: `/projects/${projectId}/unarchive`,
        why: 'Makes the project active again. It takes a slot.',
      },
    ],
  })
}
