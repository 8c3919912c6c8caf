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

const NO_PUSH = 'You are not allowed to push into this branch'

const branchShown = ({ repository, settings }: Forge, name: string) => {
  const id = repository.head(name)
  if (id === undefined) throw new Refusal(404, '404 Branch Not Found')
  const isProtected = settings.isProtected && name === 'main'
  return { name, commit: { id }, protected: isProtected, can_push: !isProtected && settings.contents === 'write' }
}

const commitShown = ({ repository, settings, name }: Forge, oid: string, isWhole = false) => {
  try {
    const message = repository.git(['log', '-1', '--format=%B', oid])
    const last_pipeline =
      settings.build === null ? null : { status: settings.build, web_url: `https://git.example/${name}/-/pipelines/1` }
    return { id: oid, message, ...(isWhole ? { last_pipeline } : {}) }
  } catch {
    throw new Refusal(404, '404 Commit Not Found')
  }
}

type Action = { action: string; file_path: string; content?: string; last_commit_id?: string }

const createCommit: Route[2] = (forge, { body }) => {
  const { branch, commit_message, actions } = body as { branch: string; commit_message: string; actions: Action[] }
  checkWrites(forge, branch, NO_PUSH)
  forge.before.run?.()
  const { repository } = forge
  const head = repository.head(branch)
  if (head === undefined) throw new Refusal(400, 'You can only create or edit files when you are on a branch')
  const changed: Files = Object.fromEntries(
    actions.map(({ action, file_path: path, content, last_commit_id }) => {
      const isThere = repository.entries(head).some((one) => one.path === path)
      if (action === 'create' && isThere) throw new Refusal(400, 'A file with this name already exists')
      if (action !== 'create' && !isThere) throw new Refusal(400, "A file with this name doesn't exist")
      // Without last_commit_id, GitLab writes over whatever the file has.
      if (action !== 'create' && last_commit_id !== undefined && repository.log(head, path)[0]?.oid !== last_commit_id)
        throw new Refusal(400, `The file has changed since you started editing it: ${path}`)
      return [path, action === 'delete' ? null : (content ?? '')]
    }),
  )
  const id = repository.commit(branch, head, changed, { message: commit_message, author: 'galley' })
  return json(201, { id, message: commit_message, parent_ids: [head] })
}

const STATES = { OPEN: 'opened', MERGED: 'merged', CLOSED: 'closed' } as const

const requestShown = ({ pulls, name }: Forge, pull: PullRequest) => ({
  iid: pull.number,
  web_url: `https://git.example/${name}/-/merge_requests/${pull.number}`,
  title: pull.title,
  description: pull.body,
  state: STATES[pull.state],
  sha: pulls.headOf(pull),
  source_branch: pull.branch,
  target_branch: pull.base,
  source_project_id: pull.isCross ? 2 : 1,
  target_project_id: 1,
})

const ROUTES: readonly Route[] = [
  [
    'GET',
    /^$/,
    ({ name, settings }) =>
      json(200, {
        path_with_namespace: name,
        web_url: `https://git.example/${name}`,
        archived: settings.isArchived,
        default_branch: 'main',
      }),
  ],
  ['GET', /^\/repository\/branches\/([^/]+)$/, (forge, _, [branch = '']) => json(200, branchShown(forge, branch))],
  [
    'DELETE',
    /^\/repository\/branches\/([^/]+)$/,
    (forge, _, [branch = '']) => {
      branchShown(forge, branch)
      checkWrites(forge, branch, NO_PUSH)
      forge.pulls.deleteBranch(branch)
      return NO_CONTENT
    },
  ],
  [
    'POST',
    /^\/repository\/branches$/,
    (forge, { body }) => {
      const { branch, ref } = body as { branch: string; ref: string }
      checkWrites(forge, branch, NO_PUSH)
      if (forge.repository.head(branch) !== undefined) throw new Refusal(400, 'Branch already exists')
      forge.pulls.point(branch, ref)
      return json(201, branchShown(forge, branch))
    },
  ],
  [
    'GET',
    /^\/repository\/tree$/,
    ({ repository }, { query }) => {
      const at = query.get('path') ?? ''
      const start = at === '' ? '' : `${at}/`
      const entries = repository.entries(query.get('ref') ?? '').filter(({ path }) => path.startsWith(start))
      if (entries.length === 0) throw new Refusal(404, '404 invalid revision or path Not Found')
      const [size, page] = [Math.min(Number(query.get('per_page') ?? 20), 100), Number(query.get('page') ?? 1)]
      return json(
        200,
        entries
          .slice((page - 1) * size, page * size)
          .map(({ path, type, oid }) => ({ id: oid, path, type, name: path.split('/').at(-1), mode: '100644' })),
      )
    },
  ],
  [
    'GET',
    /^\/repository\/files\/([^/]+)$/,
    ({ repository }, { query }, [path = '']) => {
      const ref = query.get('ref') ?? ''
      const file = repository.entries(ref).find((one) => one.path === path)
      if (!file) throw new Refusal(404, '404 File Not Found')
      return json(200, {
        file_path: path,
        encoding: 'base64',
        content: Buffer.from(repository.text(file.oid)).toString('base64'),
        blob_id: file.oid,
        commit_id: ref,
        last_commit_id: repository.log(ref, path)[0]?.oid,
      })
    },
  ],
  [
    'GET',
    /^\/repository\/commits$/,
    (forge, { query }) =>
      json(
        200,
        forge.repository
          .log(query.get('ref_name') ?? '', query.get('path') ?? '')
          .slice(0, Number(query.get('per_page') ?? 20))
          .map(({ oid }) => commitShown(forge, oid)),
      ),
  ],
  ['GET', /^\/repository\/commits\/([^/]+)$/, (forge, _, [oid = '']) => json(200, commitShown(forge, oid, true))],
  ['POST', /^\/repository\/commits$/, createCommit],
  [
    'GET',
    /^\/merge_requests$/,
    (forge, { query }) =>
      json(
        200,
        forge.pulls.all
          .filter((pull) => pull.branch === query.get('source_branch') && pull.base === query.get('target_branch'))
          .reverse()
          .map((pull) => requestShown(forge, pull)),
      ),
  ],
  [
    'POST',
    /^\/merge_requests$/,
    (forge, { body }) => {
      if (forge.settings.contents !== 'write') throw new Refusal(403, '403 Forbidden')
      const {
        source_branch: branch,
        target_branch: base,
        title,
        description = '',
      } = body as Record<'source_branch' | 'target_branch' | 'title', string> & { description?: string }
      const words = 'Another open merge request already exists for this source branch: !1'
      return json(201, requestShown(forge, openPull(forge, { base, branch, title, body: description }, words)))
    },
  ],
  [
    'PUT',
    /^\/merge_requests\/(\d+)$/,
    (forge, { body }, [iid = '']) => {
      const pull = pullOf(forge, iid)
      const { title, state_event } = body as { title?: string; state_event?: string }
      if (title !== undefined) pull.title = title
      if (state_event === 'close') forge.pulls.close(pull.number)
      return json(200, requestShown(forge, pull))
    },
  ],
  [
    'GET',
    /^\/merge_requests\/(\d+)\/notes$/,
    (forge, _, [iid = '']) => {
      const { comments, reviews } = pullOf(forge, iid)
      const lines = reviews.flatMap((one) => [one, ...one.lines.map((body) => ({ author: one.author, body }))])
      return json(200, [
        { body: 'added 1 commit', system: true, author: { username: 'galley' } },
        ...[...comments, ...lines].map(({ author, body }) => ({ body, system: false, author: { username: author } })),
      ])
    },
  ],
  [
    'POST',
    /^\/merge_requests\/(\d+)\/notes$/,
    (forge, { body }, [iid = '']) => {
      const words = (body as { body: string }).body
      pullOf(forge, iid).comments.push({ author: 'galley', body: words })
      return json(201, { body: words })
    },
  ],
]

const API: ForgeApi = {
  schema: 'gitlab',
  prefix: /^\/api\/v4\/projects\/([^/]+)(.*)$/,
  isSignedIn: ({ headers }, token) => headers['private-token'] === token,
  routes: ROUTES,
}

/** Starts a stand-in of GitLab. */
export const startGitlab = (options: ForgeOptions) => startForge(API, options)
