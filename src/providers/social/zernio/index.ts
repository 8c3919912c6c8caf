import type { SocialProvider } from '../../../reach/social/port.ts'
import { createApi, readAs, type ZernioDeps } from './api.ts'
import { guideRules } from './guides.ts'
import { findPost, sendPost } from './posts.ts'
import { accountsIn, theirName } from './transform.ts'
import { Accounts, ConnectUrl, MadeProfile, Profiles } from './types.ts'

/** Returns all networks through Zernio (REST, v1). A project is a profile there. */
export const zernio = (deps: ZernioDeps): SocialProvider => {
  const api = createApi(deps)
  return {
    profile: async (name) => {
      const read = await readAs(api({ method: 'GET', path: '/v1/profiles' }), Profiles)
      if (read.kind === 'refused') return read
      const found = read.value.profiles.find((profile) => profile.name === name)
      if (found) return { kind: 'got', value: found._id }
      const made = await readAs(api({ method: 'POST', path: '/v1/profiles', body: { name } }), MadeProfile)
      return made.kind === 'got' ? { kind: 'got', value: made.value.profile._id } : made
    },
    accounts: async (profileId) => {
      const read = await readAs(api({ method: 'GET', path: '/v1/accounts', query: { profileId } }), Accounts)
      return read.kind === 'got' ? { kind: 'got', value: accountsIn(profileId, read.value.accounts) } : read
    },
    connectUrl: async (profileId, platform, returnTo) => {
      const path = `/v1/connect/${theirName(platform)}`
      const read = await readAs(api({ method: 'GET', path, query: { profileId, redirect_url: returnTo } }), ConnectUrl)
      return read.kind === 'got' ? { kind: 'got', value: read.value.authUrl } : read
    },
    send: (post) => sendPost(api, post),
    find: (post) => findPost(api, post),
    guides: guideRules(api),
  }
}
