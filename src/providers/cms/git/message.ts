import { sha256 } from '../../../platform/lib/crypto.ts'
import { CMS_FIELDS, type CmsArticle, type CmsUpdate, type CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import { sends } from '../fields.ts'
import type { CmsDeps, Got } from '../http.ts'
import type { GitHost } from './host.ts'
import type { Setting } from './setting.ts'

/** The connected repository, read anew for each call. */
export type Repo = {
  host: GitHost
  deps: CmsDeps
  setting: () => Promise<Got<Setting>>
  /** True if changes go to pull requests instead of the branch. */
  proposes: boolean
}

/** Trailers of our commits. The newest commit of a file with them shows which delivery arrived last. */
export const trailersFor = ({ serviceName }: CmsDeps) => {
  const name = serviceName.replace(/[^A-Za-z0-9]+/g, '-')
  return { article: `${name}-Article: `, delivery: `${name}-Delivery: ` }
}

/** Purpose of a commit: the marker of its article, a hash of what was sent, and the article's page here. */
export type Sent = { marker: string; delivery: string; page?: string | undefined }

/** Returns the purpose of a commit. The same update of the same article has the same hash. */
export const sentOf = async ({ page, ...article }: CmsArticle, update: CmsUpdate): Promise<Sent> => {
  const parts = CMS_FIELDS.filter((field) => sends(update, field))
  const sent = JSON.stringify([article, update.intent, parts])
  return { marker: article.marker, page, delivery: (await sha256(sent)).slice(0, 16) }
}

/** Stands for the hash in the commit of a take-down. */
export const TAKE_DOWN = 'unpublish'

/** Returns the hash in the commit that puts a version back. */
export const restoredHash = async ({ text }: CmsVersion): Promise<string> => (await sha256(String(text))).slice(0, 16)

/** Returns the commit message. It has no words of the article: a title could hold a sign that stops the build. */
export const messageOf = (deps: CmsDeps, verb: string, path: string, { marker, delivery }: Sent) => {
  const [folder = '', file = ''] = path.split('/').slice(-2)
  const name = /^index\.\w+$/.test(file) ? folder : file || folder
  const trailers = trailersFor(deps)
  return {
    headline: `${verb} ${name.replace(/[^\w.-]/g, '-')}`,
    body: `${trailers.article}${marker}\n${trailers.delivery}${delivery}`,
  }
}
