import type { Post } from '../../../local/social/zernio-data.ts'
import { type Api, newAccount, newProject } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

export type SocialScene = {
  api: Api
  projectId: number
  /** Connects an account of the network, as if a person had agreed at the provider. Returns its id. */
  connect: (platform: string) => Promise<string>
  /** The profile that an account belongs to at the provider. */
  profileOf: (accountId: string) => Promise<string>
  /** The provider's posts of an account. */
  provided: (accountId: string) => Promise<Post[]>
  /** Returns a post after it is neither scheduled nor being sent. */
  ended: (postId: number) => Promise<Record<string, unknown>>
  post: (postId: number) => Promise<Record<string, unknown>>
}

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

/** Asks again until the value is there; the jobs of the stack wake themselves. */
export const until = async <T>(ask: () => Promise<T | undefined>, withinMs = PATIENCE_MS): Promise<T> => {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    if (Date.now() > end) throw new Error('it did not come to pass in time')
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

/** Returns a project of a new account that never reaches a rate limit. */
export const openSocial = async (stack: SharedStack): Promise<SocialScene> => {
  const api = manyKeys(stack, await newAccount(stack))
  const projectId = await newProject(api)
  const post = async (id: number) => (await api.get(`/social/posts/${id}`)).body.post as Record<string, unknown>
  return {
    api,
    projectId,
    post,
    connect: async (platform) => {
      const { body, text } = await api.post('/social/accounts', { project_id: projectId, platform })
      if (typeof body.connect_url !== 'string') throw new Error(text)
      return (await readJson<{ connected: { _id: string } }>(body.connect_url)).connected._id
    },
    profileOf: async (accountId) => {
      const { accounts } = await readJson<{ accounts: { _id: string; profileId: string }[] }>(
        `${stack.zernioUrl}/_posts`,
      )
      return accounts.find(({ _id }) => _id === accountId)?.profileId ?? ''
    },
    provided: async (accountId) =>
      (await readJson<{ posts: Post[] }>(`${stack.zernioUrl}/_posts`)).posts.filter((one) =>
        one.platforms.some((p) => p.accountId === accountId),
      ),
    ended: (id) =>
      until(async () => {
        const found = await post(id)
        return found.status === 'published' || found.status === 'failed' ? found : undefined
      }),
  }
}

/** Returns the posts a publish call made. */
export const madeBy = (body: Record<string, unknown>) =>
  body.posts as { post_id: number; platform: string; account_id: string; status: string }[]
