import { json } from '../receiver/answers.ts'
import {
  checkWrites,
  type Forge,
  type ForgeApi,
  type ForgeOptions,
  NO_CONTENT,
  openPull,
  pullOf,
  Refusal,
  type Route,
  startForge,
} from './forge.ts'
import type { Files } from './git-repository.ts'
import type { PullRequest } from './github-pulls.ts'

/** Throws 404 if a commit is not in the repository. */
const entriesAt = ({ repository }: Forge, ref: string) => {
  try {
    return repository.entries(ref)
  } catch {
    throw new Refusal(404, `object does not exist [id: ${ref}]`)
  }
}

const branchShown = ({ repository, settings }: Forge, name: string) => {
  const id = repository.head(name)
  if (id === undefined) throw new Refusal(404, `branch does not exist [name: ${name}]`)
  const isProtected = settings.isProtected && name === 'main'
  return { name, commit: { id }, protected: isProtected, user_can_push: !isProtected && settings.contents === 'write' }
}

/** Returns the content of a folder, or a file with its text. */
const contents = (forge: Forge, path: string, ref: string): unknown => {
  const entries = entriesAt(forge, ref)
  const file = entries.find((one) => one.path === path)
  if (file) {
    const content = Buffer.from(forge.repository.text(file.oid)).toString('base64')
    return {
      type: 'file',
      path,
      sha: file.oid,
      encoding: 'base64',
      content,
      last_commit_sha: forge.repository.log(ref, path)[0]?.oid,
    }
  }
  const start = path === '' ? '' : `${path}/`
  const inner = entries.filter((one) => one.path.startsWith(start))
  if (inner.length === 0) throw new Refusal(404, `object does not exist [id: , rel_path: ${path}]`)
  const names = [...new Set(inner.map((one) => one.path.slice(start.length).split('/')[0] ?? ''))]
  return names.map((name) => {
    const at = `${start}${name}`
    const own = inner.find((one) => one.path === at)
    const sha = own?.oid ?? forge.repository.git(['rev-parse', `${ref}:${at}`])
    return { type: own ? 'file' : 'dir', path: at, sha, content: null, encoding: null }
  })
}

type FileChange = { operation: string; path: string; sha?: string; content?: string }

const changeFiles: Route[2] = (forge, { body }) => {
  const { branch = 'main', message = '', files } = body as { branch?: string; message?: string; files: FileChange[] }
  checkWrites(forge, branch, 'user should have a permission to write to the target branch')
  forge.before.run?.()
  const { repository } = forge
  const head = repository.head(branch)
  if (head === undefined) throw new Refusal(404, `branch does not exist [name: ${branch}]`)
  const changed: Files = Object.fromEntries(
    files.map(({ operation, path, sha, content = '' }) => {
      const there = repository.entries(head).find((one) => one.path === path)
      if (operation === 'create' && there) throw new Refusal(422, `repository file already exists [path: ${path}]`)
      if (operation !== 'create') {
        if (!there) throw new Refusal(404, `repository file does not exist [path: ${path}]`)
        if (sha === undefined) throw new Refusal(422, 'a SHA or commit ID must be proved when updating a file')
        if (sha !== there.oid) throw new Refusal(422, `sha does not match [given: ${sha}, expected: ${there.oid}]`)
      }
      return [path, operation === 'delete' ? null : Buffer.from(content, 'base64').toString('utf8')]
    }),
  )
  const sha = repository.commit(branch, head, changed, { message, author: 'galley' })
  return json(201, { commit: { sha, message }, files: files.map(({ path }) => ({ path })) })
}

const pullShown = ({ pulls, repository, name }: Forge, pull: PullRequest) => ({
  number: pull.number,
  html_url: `https://git.example/${name}/pulls/${pull.number}`,
  title: pull.title,
  body: pull.body,
  state: pull.state === 'OPEN' ? 'open' : 'closed',
  merged: pull.state === 'MERGED',
  // While the branch exists, every pull request of it has its newest commit.
  head: {
    label: pull.branch,
    ref: repository.head(pull.branch) === undefined ? `refs/pull/${pull.number}/head` : pull.branch,
    sha: (pull.isCross ? undefined : repository.head(pull.branch)) ?? pulls.headOf(pull),
    repo_id: pull.isCross ? 2 : 1,
  },
  base: { label: pull.base, ref: pull.base, sha: repository.head(pull.base), repo_id: 1 },
})

const commitShown = ({ repository }: Forge, oid: string) => {
  try {
    return { sha: oid, commit: { message: repository.git(['log', '-1', '--format=%B', oid]) } }
  } catch {
    throw new Refusal(404, `object does not exist [id: ${oid}]`)
  }
}

const PAGE_OF_TREES = 1_000

const ROUTES: readonly Route[] = [
  [
    'GET',
    /^$/,
    ({ name, homepage, settings }) =>
      json(200, {
        full_name: name,
        html_url: `https://git.example/${name}`,
        website: homepage,
        archived: settings.isArchived,
        empty: false,
        default_branch: 'main',
      }),
  ],
  ['GET', /^\/branches\/(.+)$/, (forge, _, [branch = '']) => json(200, branchShown(forge, branch))],
  [
    'DELETE',
    /^\/branches\/(.+)$/,
    (forge, _, [branch = '']) => {
      branchShown(forge, branch)
      checkWrites(forge, branch, 'branch is protected')
      forge.pulls.deleteBranch(branch)
      return NO_CONTENT
    },
  ],
  [
    'POST',
    /^\/branches$/,
    (forge, { body }) => {
      const { new_branch_name: branch, old_ref_name: ref = '' } = body as Record<string, string> & {
        new_branch_name: string
      }
      checkWrites(forge, branch, 'branch is protected')
      if (forge.repository.head(branch) !== undefined) throw new Refusal(409, 'The branch already exists.')
      entriesAt(forge, ref)
      forge.pulls.point(branch, ref)
      return json(201, branchShown(forge, branch))
    },
  ],
  [
    'GET',
    /^\/git\/trees\/(.+)$/,
    (forge, { query }, [sha = '']) => {
      const entries = entriesAt(forge, sha)
      const [size, page] = [Math.min(Number(query.get('per_page')), PAGE_OF_TREES), Number(query.get('page') ?? 1)]
      const shown = entries.slice((page - 1) * size, page * size)
      return json(200, {
        sha,
        tree: shown.map(({ path, type, oid }) => ({ path, type, sha: oid, mode: '100644' })),
        truncated: page * size < entries.length,
        total_count: entries.length,
        page,
      })
    },
  ],
  ['GET', /^\/git\/commits\/(.+)$/, (forge, _, [oid = '']) => json(200, commitShown(forge, oid))],
  [
    'GET',
    /^\/contents\/(.*)$/,
    (forge, { query }, [path = '']) => json(200, contents(forge, path, query.get('ref') ?? '')),
  ],
  ['POST', /^\/contents$/, changeFiles],
  [
    'GET',
    /^\/commits$/,
    (forge, { query }) => {
      const found = forge.repository.log(query.get('sha') ?? '', query.get('path') ?? '')
      if (found.length === 0) throw new Refusal(404, 'FileCommitsCount')
      return json(
        200,
        found.slice(0, 50).map(({ oid }) => commitShown(forge, oid)),
      )
    },
  ],
  [
    'GET',
    /^\/commits\/(.+)\/status$/,
    ({ settings: { build } }, _, [sha = '']) =>
      json(200, {
        sha,
        state: build ?? '',
        statuses:
          build === null ? null : [{ status: build, context: 'build', target_url: '/jane/blog/actions/runs/1' }],
        total_count: build === null ? 0 : 1,
      }),
  ],
  [
    'GET',
    /^\/pulls$/,
    (forge, { query }) => {
      const [size, page] = [Math.min(Number(query.get('limit')), 50), Number(query.get('page') ?? 1)]
      const all = [...forge.pulls.all].reverse().slice((page - 1) * size, page * size)
      return json(
        200,
        all.map((pull) => pullShown(forge, pull)),
      )
    },
  ],
  [
    'POST',
    /^\/pulls$/,
    (forge, { body }) => {
      if (forge.settings.contents !== 'write') throw new Refusal(403, '403 Forbidden')
      const {
        base,
        head: branch,
        title,
        body: words = '',
      } = body as Record<string, string> & Record<'base' | 'head' | 'title', string>
      const made = openPull(
        forge,
        { base, branch, title, body: words },
        'pull request already exists for these targets',
      )
      return json(201, pullShown(forge, made))
    },
  ],
  [
    'GET',
    /^\/pulls\/(\d+)\/reviews$/,
    (forge, _, [number = '']) =>
      json(
        200,
        pullOf(forge, number).reviews.map(({ author, body, lines }, id) => ({
          id,
          body,
          user: { login: author },
          comments_count: lines.length,
        })),
      ),
  ],
  [
    'GET',
    /^\/pulls\/(\d+)\/reviews\/(\d+)\/comments$/,
    (forge, _, [number = '', id = '']) => {
      const { author, lines } = pullOf(forge, number).reviews[Number(id)] ?? { author: '', lines: [] }
      return json(
        200,
        lines.map((body) => ({ body, user: { login: author } })),
      )
    },
  ],
  [
    'GET',
    /^\/pulls\/([^/]+)\/(.+)$/,
    (forge, _, [base = '', branch = '']) => {
      // Any one: the database's first.
      const found = forge.pulls.all.find((pull) => pull.base === base && pull.branch === branch && !pull.isCross)
      if (!found) throw new Refusal(404, 'pull request does not exist')
      return json(200, pullShown(forge, found))
    },
  ],
  [
    'PATCH',
    /^\/pulls\/(\d+)$/,
    (forge, { body }, [number = '']) => {
      const pull = pullOf(forge, number)
      const { title, state } = body as { title?: string; state?: string }
      if (title !== undefined) pull.title = title
      if (state === 'closed') forge.pulls.close(pull.number)
      return json(201, pullShown(forge, pull))
    },
  ],
  [
    'GET',
    /^\/issues\/(\d+)\/comments$/,
    (forge, _, [number = '']) =>
      json(
        200,
        pullOf(forge, number).comments.map(({ author, body }) => ({ body, user: { login: author } })),
      ),
  ],
  [
    'POST',
    /^\/issues\/(\d+)\/comments$/,
    (forge, { body }, [number = '']) => {
      const words = (body as { body: string }).body
      pullOf(forge, number).comments.push({ author: 'galley', body: words })
      return json(201, { body: words })
    },
  ],
]

const API: ForgeApi = {
  schema: 'gitea',
  prefix: /^\/api\/v1\/repos\/([^/]+\/[^/]+)(.*)$/,
  isSignedIn: ({ headers }, token) => headers.authorization === `token ${token}`,
  routes: ROUTES,
}

/** Starts a stand-in of Gitea, which is that of Forgejo too. */
export const startGitea = (options: ForgeOptions) => startForge(API, options)
