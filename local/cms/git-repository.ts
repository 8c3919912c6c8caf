import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Text of each path; null deletes the file. */
export type Files = Readonly<Record<string, string | null>>

/** Entry of a commit's tree. */
export type Entry = { path: string; oid: string; type: string }

/** Message and author of a commit. */
export type Words = { message: string; author?: string }

/** Real bare repository on disk, worked on with Git's plumbing alone. */
export type GitRepository = ReturnType<typeof makeRepository>

const PERSON = 'Jane Doe'

/** Makes a bare repository in a new folder, with one commit of these files on `main`. */
export const makeRepository = (files: Files, now: () => Date) => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-git-'))
  const git = (args: readonly string[], input = '', env: Record<string, string> = {}): string =>
    execFileSync('git', ['-C', dir, ...args], {
      input,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    }).replace(/\n$/, '')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', dir])
  const texts = new Map<string, string>()
  const trees = new Map<string, Entry[]>()
  const logs = new Map<string, { oid: string; message: string }[]>()

  /** Returns the id of a branch's newest commit; undefined if there is no such branch. */
  const head = (branch: string): string | undefined => {
    try {
      return readFileSync(join(dir, 'refs/heads', branch), 'utf8').trim()
    } catch {
      return undefined
    }
  }

  /** Returns all files of a commit. */
  const entries = (commit: string): Entry[] => {
    const known = trees.get(commit)
    if (known) return known
    const read = git(['ls-tree', '-r', '-z', commit])
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [meta = '', path = ''] = line.split('\t')
        const [, type = '', oid = ''] = meta.split(' ')
        return { path, oid, type }
      })
    trees.set(commit, read)
    return read
  }

  const text = (oid: string): string => {
    const known = texts.get(oid)
    if (known !== undefined) return known
    const read = execFileSync('git', ['-C', dir, 'cat-file', 'blob', oid], { encoding: 'utf8' })
    texts.set(oid, read)
    return read
  }

  /** Commits files on top of a commit. Throws if the branch has another head. */
  const commit = (
    branch: string,
    parent: string | undefined,
    changed: Files,
    { message, author = PERSON }: Words,
  ): string => {
    const env = { GIT_INDEX_FILE: join(dir, 'galley-index') }
    git(parent === undefined ? ['read-tree', '--empty'] : ['read-tree', parent], '', env)
    const lines = Object.entries(changed).map(([path, content]) => {
      if (content === null) return `0 ${'0'.repeat(40)}\t${path}`
      const oid = git(['hash-object', '-w', '--stdin'], content)
      texts.set(oid, content)
      return `100644 ${oid}\t${path}`
    })
    git(['update-index', '--index-info'], `${lines.join('\n')}\n`, env)
    const tree = git(['write-tree'], '', env)
    const at = `${Math.floor(now().getTime() / 1_000)} +0000`
    const made = git(['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent])], message, {
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: 'author@git.example',
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_NAME: author,
      GIT_COMMITTER_EMAIL: 'author@git.example',
      GIT_COMMITTER_DATE: at,
    })
    git(['update-ref', `refs/heads/${branch}`, made, parent ?? ''])
    return made
  }

  /** Commits as a person does who works on the newest commit. */
  const push = (changed: Files, message = 'By hand', branch = 'main'): string =>
    commit(branch, head(branch), changed, { message })

  /** Returns the text of a file on a branch; undefined if there is none. */
  const read = (path: string, branch = 'main'): string | undefined => {
    const entry = entries(head(branch) ?? '').find((one) => one.path === path)
    return entry && text(entry.oid)
  }

  /** Returns the commits before and at a commit that changed a path, the newest first. */
  const log = (at: string, path: string): { oid: string; message: string }[] => {
    const known = logs.get(`${at} ${path}`)
    if (known) return known
    const read = git(['log', '-z', '--format=%H%n%B', at, '--', path])
      .split('\0')
      .filter((one) => one !== '')
      .map((one) => ({ oid: one.slice(0, 40), message: one.slice(41).trimEnd() }))
    if (/^[0-9a-f]{40}$/.test(at)) logs.set(`${at} ${path}`, read)
    return read
  }

  push(files, 'First commit')
  return { dir, git, head, entries, text, commit, push, read, log }
}
