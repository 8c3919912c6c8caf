import type { Cms, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done } from '../http.ts'
import { ALL_TEXT, inLanguages } from '../languages.ts'
import { storedLayout } from './connect.ts'
import { placeKey } from './engine-key.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { GitHost } from './host.ts'
import { listSitePosts, readSitePost } from './list.ts'
import type { Repo } from './message.ts'
import { apiIn } from './place.ts'
import { closePull, pullFor } from './propose.ts'
import {
  buildOf,
  createPost,
  findPost,
  hasUpdate,
  readVersion,
  restoreVersion,
  unpublishPost,
  updatePost,
} from './save.ts'
import { settingOf } from './setting.ts'

const hostOf = ({ url, secrets }: Connection, deps: CmsDeps): GitHost => {
  const { host, repository = '', token = '' } = secrets
  const given = { api: apiIn(url), repository, token }
  if (host === 'gitlab') return gitlab(deps, given)
  if (host === 'gitea' || host === 'forgejo')
    return gitea(deps, { ...given, name: host === 'gitea' ? 'Gitea' : 'Forgejo' })
  return github(deps, given.api, repository, token)
}

/**
 * Returns the adapter for the Markdown files of a Git repository. A post is a file; its id is its path.
 *
 * Each change is one commit on top of the file that was read, or a pull request with it. The host refuses it if the file changed, and
 * it is read and changed again. People's edits stay, because the new text is merged into the file.
 */
export const gitCms = (connection: Connection, deps: CmsDeps): Cms => {
  const host = hostOf(connection, deps)
  const setting = settingOf(host, connection, deps.serviceName)
  const repo: Repo = { host, deps, setting: () => setting(), proposes: connection.secrets.mode === 'pull_request' }
  const probe = async (): Promise<CmsResult<CmsSite>> => {
    const known = await setting({ again: true })
    if (known.kind !== 'got') return known
    const { repository: found, layout } = known.value
    // A token without a right to pull requests fails here, and not at the first article.
    const pulls = repo.proposes
      ? await host.pulls.proposal(`${deps.serviceName.toLowerCase()}/test`, layout.branch)
      : undefined
    if (pulls && pulls.kind !== 'got') return pulls
    const notes =
      layout.postUrl === ''
        ? ['The address of the site was not found. Send post_url, such as https://blog.example/blog/{slug}/.']
        : []
    return done({ name: found.name, url: found.url, found: storedLayout(layout) }, notes)
  }
  const cms: Cms = {
    probe,
    find: (query) => findPost(repo, query),
    create: (article) => createPost(repo, article),
    update: (remoteId, article, update, seenAt) => updatePost(repo, remoteId, article, update, seenAt),
    hasUpdate: (remoteId, article, update) => hasUpdate(repo, remoteId, article, update),
    build: (remoteId) => buildOf(repo, remoteId),
    unpublish: (remoteId, article) => unpublishPost(repo, remoteId, article),
    pull: (article, change) => pullFor(repo, article, change),
    closePull: (marker, comment) => closePull(repo, marker, comment),
    read: (remoteId) => readVersion(repo, remoteId),
    restore: (remoteId, version, of, seenAt) => restoreVersion(repo, remoteId, version, of, seenAt),
    listPosts: (cursor) => listSitePosts(repo, cursor),
    readPost: (ref) => readSitePost(repo, ref),
    placeKey: (key) => placeKey(repo, key),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [connection.secrets.token])
}
