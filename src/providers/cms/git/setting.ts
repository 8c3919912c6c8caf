import type { Connection } from '../../../publishing/target/publish-target.ts'
import { type Got, got, misfit } from '../http.ts'
import type { Generator } from './body.ts'
import { givenLayout } from './connect.ts'
import { splitFile, valuesOf } from './front-matter.ts'
import type { GitHost, Repository, RepositoryFile } from './host.ts'
import {
  areDated,
  type Folder,
  foldersIn,
  formOf,
  generatorIn,
  type Layout,
  learnPosts,
  postUrlOf,
  settingsIn,
} from './layout.ts'

/** The connected repository at one moment, and how its posts are written. */
export type Setting = { repository: Repository; layout: Layout; posts: number }

/** Folders whose files are read to find the one with posts. */
const MAX_FOLDERS = 3

const NO_POSTS =
  'No folder of Markdown posts was found in the repository. Send path, such as src/content/blog/{slug}.md, and front_matter, the front matter of a post.'

/** Returns the folder that somebody named, with the files in it. */
const named = (path: string, paths: readonly string[]): Folder => {
  const all = paths.filter((one) => formOf(one) === path).sort()
  return { form: path, count: all.length, newest: all.slice(-10) }
}

type Inspected = { generator: Generator; root: string; folder: Folder; posts: RepositoryFile[] }

/** Returns the folder with posts: the first likely one whose files have dates. */
const choose = (
  folders: readonly Folder[],
  files: readonly RepositoryFile[],
): Omit<Inspected, 'generator' | 'root'> | undefined => {
  const read = folders.map((folder) => ({ folder, posts: files.filter(({ path }) => folder.newest.includes(path)) }))
  return read.find(({ folder, posts }) => areDated(posts, folder.form)) ?? read[0]
}

/** Reads the repository's files and finds generator, posts, front matter and address; what is given wins. */
const inspect = async (
  host: GitHost,
  repository: Repository,
  given: Partial<Layout>,
  markerKey: string,
): Promise<Got<{ layout: Layout; posts: number }>> => {
  const listed = await host.paths(repository.head)
  if (listed.kind !== 'got') return listed
  const { paths, isCut } = listed.value
  if (isCut && given.path === undefined)
    return misfit('The repository has too many files to look through. Send path, such as src/content/blog/{slug}.md.')
  const found = generatorIn(paths)
  const generator = given.generator ?? found.generator
  const folders =
    given.path === undefined ? foldersIn(paths, found.root).slice(0, MAX_FOLDERS) : [named(given.path, paths)]
  const settings = settingsIn(paths, found.root, found.config).slice(0, 5)
  const wanted = [...new Set([...settings, ...folders.flatMap(({ newest }) => newest)])]
  const read = await host.files(repository.head, wanted)
  if (read.kind !== 'got') return read
  const chosen = choose(folders, read.value)
  const form = chosen?.folder.form
  if (form === undefined) return misfit(NO_POSTS)
  const learned = learnPosts(chosen?.posts ?? [], generator, markerKey)
  if ('problem' in learned && given.frontMatter === undefined)
    return chosen?.posts.length
      ? misfit(
          `The posts in ${form} cannot be written: ${learned.problem}. Front matter in YAML between lines of --- is needed; TOML and JSON are not supported.`,
        )
      : misfit(NO_POSTS)
  const own =
    'problem' in learned
      ? { frontMatter: '', keys: { title: 'title', marker: markerKey }, unpublish: 'delete' as const }
      : learned
  const keys = { ...own.keys, ...given.keys }
  const site = { paths, root: found.root, files: read.value, homepage: repository.homepage }
  const layout: Layout = {
    generator,
    branch: repository.branch,
    path: form,
    frontMatter: given.frontMatter ?? own.frontMatter,
    keys,
    unpublish: given.unpublish ?? (keys.draft ? own.unpublish : 'delete'),
    postUrl: given.postUrl ?? postUrlOf(generator, form, site, Boolean(keys.slug)),
  }
  return got({ layout, posts: chosen?.folder.count ?? 0 })
}

/** Returns why the settings do not fit together; undefined if they do. */
const misfitOf = ({ frontMatter, keys, unpublish }: Layout): string | undefined => {
  const file = splitFile(`---\n${frontMatter.replace(/\s*$/, '')}\n---\n`)
  const values = 'problem' in file ? file : valuesOf(file.yaml)
  if ('problem' in values) return `front_matter cannot be used: ${values.problem}.`
  if (unpublish === 'draft' && !keys.draft)
    return 'unpublish is draft, but no key of the front matter makes a post a draft. Send its name as keys.draft, or unpublish delete.'
  return undefined
}

/** Returns a function that reads the repository's head, and how its posts are written: as stored, or else as its files show. */
export const settingOf = (host: GitHost, { secrets }: Connection, serviceName: string) => {
  const given = givenLayout(secrets)
  const markerKey = `${serviceName.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_post`
  return async ({ again = false } = {}): Promise<Got<Setting>> => {
    const { generator, branch, path, frontMatter, keys, unpublish, postUrl } = given
    const isStored =
      generator && branch && path && frontMatter !== undefined && keys && unpublish && postUrl !== undefined
    const isKnown = isStored && !again
    const repository = await host.repository(branch, !isKnown)
    if (repository.kind !== 'got') return repository
    if (repository.value.isArchived)
      return misfit(`The repository ${repository.value.name} is archived, so nothing can be committed.`)
    if (isKnown) return got({ repository: repository.value, layout: given as Layout, posts: 0 })
    const found = await inspect(host, repository.value, given, markerKey)
    if (found.kind !== 'got') return found
    const wrong = misfitOf(found.value.layout)
    return wrong === undefined ? got({ repository: repository.value, ...found.value }) : misfit(wrong)
  }
}
