import { type Api, connectReceiver, newArticle, newProject } from './client.ts'
import type { SharedStack } from './global.ts'

/** Returns a new project of the account that publishes to the receiver of the stack. */
export const connectedProject = async (
  api: Api,
  { receiverUrl, receiverToken }: Pick<SharedStack, 'receiverUrl' | 'receiverToken'>,
  settings: Record<string, unknown> = {},
): Promise<number> => {
  const project = await newProject(api, settings)
  await connectReceiver(api, project, receiverUrl, receiverToken)
  return project
}

/** Returns a new, published article of a project. Throws if it is not published at once. */
export const publishedArticle = async (
  api: Api,
  project: number,
  fields: Record<string, unknown> = {},
): Promise<number> => {
  const id = await newArticle(api, project, fields)
  const { body, text } = await api.post(`/articles/${id}/publish`)
  if (body.status !== 'published') throw new Error(`POST /articles/${id}/publish: ${text}`)
  return id
}
