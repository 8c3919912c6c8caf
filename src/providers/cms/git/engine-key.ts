import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { done, misfit } from '../http.ts'
import type { Generator } from './body.ts'
import { generatorIn, type Layout, settingsIn, siteIn } from './layout.ts'
import type { Repo } from './message.ts'
import { changeFile } from './save.ts'
import type { Setting } from './setting.ts'

/** Folder, within that of the site, whose files a generator copies unchanged. Eleventy copies only what its settings name. */
const COPIED: Partial<Record<Generator, string>> = {
  astro: 'public/',
  docusaurus: 'static/',
  hugo: 'static/',
  jekyll: '',
  next: 'public/',
}

const NO_FOLDER =
  'The repository has no folder whose files its generator copies unchanged to the site. Put the key file where the site serves it.'
const NO_SITE = 'The address of the site is not known. Send post_url, such as https://blog.example/blog/{slug}/.'
const BY_PULL =
  'Changes of this repository go to pull requests, one for each article. Add the key file to the branch yourself.'

const SENT = { marker: 'engine-key', delivery: 'engine-key' }

/** Returns the address of the site's root: that of its settings if it has the origin of the posts, else that origin. */
const siteOf = ({ postUrl }: Layout, configured: string): string | undefined => {
  const posts = URL.parse(postUrl)?.origin
  return posts !== undefined && URL.parse(configured)?.origin === posts ? configured : posts
}

/** Returns where the key file belongs in the repository, and its address at the site. */
const placeOf = async ({ host }: Repo, { repository, layout }: Setting, key: string) => {
  const copied = COPIED[layout.generator]
  if (copied === undefined) return misfit(NO_FOLDER)
  const whole = await host.repository(layout.branch, true)
  if (whole.kind !== 'got') return whole
  const listed = await host.paths(repository.head)
  if (listed.kind !== 'got') return listed
  const { paths } = listed.value
  const found = generatorIn(paths)
  const root = found.generator === layout.generator ? found.root : ''
  const settings = await host.files(repository.head, settingsIn(paths, root, found.config).slice(0, 5))
  if (settings.kind !== 'got') return settings
  const site = siteOf(layout, siteIn(layout.generator, settings.value, whole.value.homepage))
  if (site === undefined) return misfit(NO_SITE)
  return { kind: 'got', value: { path: `${root}${copied}${key}.txt`, location: `${site}/${key}.txt` } } as const
}

/**
 * Commits a key of IndexNow as `<key>.txt` into the folder whose files the generator copies, and returns its address. A file that
 * is there already is not committed again, so repeats change nothing. The site serves it after its next build.
 */
export const placeKey = async (repo: Repo, key: string): Promise<CmsResult<{ location: string }>> => {
  if (repo.proposes) return misfit(BY_PULL)
  const known = await repo.setting()
  if (known.kind !== 'got') return known
  const place = await placeOf(repo, known.value, key)
  if (place.kind !== 'got') return place
  const { path, location } = place.value
  const committed = await changeFile(repo, path, SENT, (file) => ({
    text: file?.text.trim() === key ? file.text : key,
    verb: 'Add',
  }))
  return committed.kind === 'got' ? done({ location }) : committed
}
