import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'

const unarchiving = (projectId: number): ErrorExtras => ({
  next_calls: [
    {
      method: 'POST',
      path: `/projects/${projectId}/unarchive`,
      why: 'Makes the project active again. It takes a slot.',
    },
  ],
})

/** Only active projects count as there, where something is to be done with one; an archived one is told how to come back. */
export const notActive = (projectId: number): ApiError =>
  new ApiError(
    'not_found',
    `The project is archived. POST /projects/${projectId}/unarchive brings it back.`,
    unarchiving(projectId),
  )

/** Refuses to publish anything of an archived project. Throws 409 `project_archived`. */
export const refuseArchived = (projectId: number, status: string): void => {
  if (status !== 'Archived') return
  throw new ApiError(
    'project_archived',
    'The project is archived, so nothing of it is published. Nothing was sent.',
    unarchiving(projectId),
  )
}
