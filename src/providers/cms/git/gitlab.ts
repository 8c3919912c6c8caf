import * as z from 'zod/mini'
import type { CmsBuild } from '../../../publishing/target/cms-adapter.ts'
import { type CmsDeps, freshParameter, type Got, got, misfit, refused } from '../http.ts'
import { textOfBase64 } from './base64.ts'
import { type GitHost, type Proposal, type Pull, type PullHost, said } from './host.ts'
import { committedOr, noBranch, operationOf, readEach, readPages, restApi, within } from './rest.ts'

const NAME = 'GitLab'

const ProjectAnswer = z.object({
  path_with_namespace: z.string(),
  web_url: z.string(),
  archived: z.boolean(),
  default_branch: z.nullish(z.string()),
})
const BranchAnswer = z.object({ name: z.string(), commit: z.object({ id: z.string() }) })
const Tree = z.array(z.object({ path: z.string(), type: z.string() }))
const FileAnswer = z.object({ blob_id: z.string(), last_commit_id: z.string(), content: z.string() })
const Pipeline = z.object({ status: z.string(), web_url: z.nullish(z.string()) })
const CommitAnswer = z.object({ id: z.string(), message: z.string(), last_pipeline: z.nullish(Pipeline) })
const MergeRequest = z.object({
  iid: z.number(),
  web_url: z.string(),
  title: z.string(),
  state: z.string(),
  sha: z.nullish(z.string()),
  source_project_id: z.nullish(z.number()),
  target_project_id: z.number(),
})
const Notes = z.array(
  z.object({ body: z.string(), system: z.boolean(), author: z.nullish(z.object({ username: z.string() })) }),
)

/** Meaning of the states of a pipeline. One that waits for a person has done what it does by itself. */
const BUILDS: Readonly<Record<string, CmsBuild['state']>> = {
  success: 'built',
  manual: 'built',
  failed: 'failed',
  canceled: 'failed',
  canceling: 'failed',
  created: 'waiting',
  waiting_for_resource: 'waiting',
  preparing: 'waiting',
  pending: 'waiting',
  running: 'waiting',
  scheduled: 'waiting',
}
const NO_BUILD: CmsBuild = { state: 'none', url: null }

/** Refusals of a commit whose file is not the one that was read. GitLab has no code for them. */
const STALE = /has changed since|already exists|doesn't exist|does not exist|could not update|try again/i

const PAGE = 100
const MAX_PAGES = 30
const fresh = () => new URLSearchParams(freshParameter())

type Api = ReturnType<typeof restApi>

const branchAt = (branch: string): string => `/repository/branches/${encodeURIComponent(branch)}`

const mergeRequests = (api: Api, head: (branch: string) => Promise<Got<string | undefined>>): PullHost => {
  const { read, write, remove } = api

  const pullOf = async (found: z.infer<typeof MergeRequest>): Promise<Got<Pull>> => {
    const { iid, web_url: url, title, sha } = found
    const newest = sha ? await read(`/repository/commits/${sha}`, CommitAnswer, { ofCommit: true }) : got(undefined)
    if (newest.kind !== 'got') return newest
    const state = found.state === 'merged' ? 'merged' : found.state === 'closed' ? 'closed' : 'open'
    const notes =
      state === 'closed' ? await read(`/merge_requests/${iid}/notes?sort=asc&per_page=${PAGE}`, Notes) : got([])
    if (notes.kind !== 'got') return notes
    return got({
      id: String(iid),
      url,
      title,
      state,
      head: sha ?? '',
      lastMessage: newest.value?.message ?? '',
      said: (notes.value ?? [])
        .filter(({ system }) => !system)
        .flatMap(({ author, body }) => said(author?.username ?? 'ghost', body)),
    })
  }

  const proposal: PullHost['proposal'] = async (branch, base) => {
    const at = await head(branch)
    if (at.kind !== 'got') return at
    const query = new URLSearchParams({
      source_branch: branch,
      target_branch: base,
      state: 'all',
      order_by: 'created_at',
      sort: 'desc',
      ...freshParameter(),
    })
    const list = await read(`/merge_requests?${query}`, z.array(MergeRequest))
    if (list.kind !== 'got') return list
    // Anybody may open a merge request of a fork whose branch has the same name.
    const found = (list.value ?? []).find((one) => one.source_project_id === one.target_project_id)
    const pull = found ? await pullOf(found) : got(undefined)
    if (pull.kind !== 'got') return pull
    return got({ branch, ...(at.value ? { head: at.value } : {}), ...(pull.value ? { pull: pull.value } : {}) })
  }

  const deleteBranch = async ({ branch, head: at }: Proposal): Promise<Got<unknown>> =>
    at === undefined ? got(undefined) : await remove(branchAt(branch))

  return {
    proposal,
    point: async (found, oid) => {
      const deleted = await deleteBranch(found)
      if (deleted.kind !== 'got') return deleted
      return await write('POST', '/repository/branches', { branch: found.branch, ref: oid }, z.unknown())
    },
    open: async ({ branch }, { base, title, body }) => {
      const given = { source_branch: branch, target_branch: base, title, description: body }
      const opened = await write('POST', '/merge_requests', given, MergeRequest)
      if (opened.kind === 'refused' && opened.httpStatus === 409) return got('exists')
      return opened.kind === 'got' ? got({ url: opened.value.web_url }) : opened
    },
    rename: ({ id }, title) => write('PUT', `/merge_requests/${id}`, { title }, z.unknown()),
    close: async (found, { id }, comment) => {
      const closed = await write('PUT', `/merge_requests/${id}`, { state_event: 'close' }, z.unknown())
      if (closed.kind !== 'got') return closed
      await write('POST', `/merge_requests/${id}/notes`, { body: comment }, z.unknown())
      return await deleteBranch(found)
    },
    deleteBranch,
  }
}

/**
 * Returns GitLab as a host of a project (`group/name`), with a token that may write its repository.
 *
 * A commit names the last commit of the file that was read. GitLab refuses it if a newer one changed the file, or if a new file exists
 * already: so a repeated commit is never made twice.
 */
export const gitlab = (
  deps: CmsDeps,
  { api: address, repository, token }: { api: string; repository: string; token: string },
): GitHost => {
  const api = restApi(deps, {
    name: NAME,
    at: `${address}/projects/${encodeURIComponent(repository)}`,
    headers: { 'PRIVATE-TOKEN': token },
    rights: 'The token needs the scope api and the role Developer or Maintainer of this project.',
  })
  const { read, write } = api

  const head = async (branch: string): Promise<Got<string | undefined>> => {
    const found = await read(`${branchAt(branch)}?${fresh()}`, BranchAnswer)
    return found.kind === 'got' ? got(found.value?.commit.id) : found
  }

  const load: GitHost['repository'] = async (branch, whole) => {
    const about = whole || branch === undefined ? await read('', ProjectAnswer) : got(undefined)
    if (about.kind !== 'got') return about
    if (about.value === undefined && whole)
      return refused('site_not_found', `${NAME} has no project ${repository}, or the token may not read it.`, 404)
    const wanted = branch ?? about.value?.default_branch ?? ''
    const at = wanted === '' ? got(undefined) : await head(wanted)
    if (at.kind !== 'got') return at
    if (at.value === undefined) return noBranch(repository, branch)
    const { path_with_namespace = repository, web_url: url = '', archived = false } = about.value ?? {}
    return got({ name: path_with_namespace, url, homepage: '', isArchived: archived, branch: wanted, head: at.value })
  }

  /** Returns the paths of all files of a folder of a commit. */
  const filesIn = async (commit: string, at: string) => {
    const listed = await readPages(MAX_PAGES, async (page) => {
      const query = { ref: commit, path: at, recursive: 'true', per_page: String(PAGE), page: String(page) }
      const answer = await read(`/repository/tree?${new URLSearchParams(query)}`, Tree, { ofCommit: true })
      if (answer.kind !== 'got') return answer
      const values = answer.value ?? []
      return got({ values, isLast: values.length < PAGE })
    })
    if (listed.kind !== 'got') return listed
    const { values, isCut } = listed.value
    return got({ paths: values.filter(({ type }) => type === 'blob').map(({ path }) => path), isCut })
  }

  const folder: GitHost['folder'] = async (commit, at) => {
    const listed = await filesIn(commit, at)
    if (listed.kind !== 'got') return listed
    return listed.value.isCut
      ? misfit(`The folder ${at} has too many files to look through.`)
      : got(within(listed.value.paths, at))
  }

  const files: GitHost['files'] = (commit, wanted) =>
    readEach(wanted, async (path) => {
      const at = `/repository/files/${encodeURIComponent(path)}?ref=${commit}`
      const file = await read(at, FileAnswer, { ofCommit: true })
      if (file.kind !== 'got') return file
      const { blob_id: id = '', last_commit_id: changedIn = '', content } = file.value ?? {}
      const text = content === undefined ? undefined : textOfBase64(content)
      return got(text === undefined ? undefined : { path, id, text, changedIn })
    })

  const commitsOf = async (commit: string, path: string, count: number) =>
    await read(
      `/repository/commits?${new URLSearchParams({ ref_name: commit, path, per_page: String(count) })}`,
      z.array(CommitAnswer),
      { ofCommit: true },
    )

  const messages: GitHost['messages'] = async (commit, path) => {
    const found = await commitsOf(commit, path, 20)
    return found.kind === 'got' ? got((found.value ?? []).map(({ message }) => message)) : found
  }

  const build: GitHost['build'] = async (commit, path) => {
    const found = await commitsOf(commit, path, 1)
    if (found.kind !== 'got') return found
    const [last] = found.value ?? []
    const answer = last ? await read(`/repository/commits/${last.id}?${fresh()}`, CommitAnswer) : got(undefined)
    if (answer.kind !== 'got') return answer
    const pipeline = answer.value?.last_pipeline
    const state = BUILDS[pipeline?.status ?? ''] ?? 'none'
    return got(state === 'none' ? NO_BUILD : { state, url: state === 'built' ? null : (pipeline?.web_url ?? null) })
  }

  const commit: GitHost['commit'] = async (given) => {
    const { branch, headline, body, path, text, was } = given
    const action = {
      action: operationOf(given),
      file_path: path,
      ...(text === null ? {} : { content: text }),
      ...(was ? { last_commit_id: was.changedIn } : {}),
    }
    const message = `${headline}\n\n${body}`
    const answer = await write(
      'POST',
      '/repository/commits',
      { branch, commit_message: message, actions: [action] },
      z.unknown(),
    )
    return committedOr(answer, (reason) => STALE.test(reason))
  }

  return {
    name: NAME,
    repository: load,
    paths: (commitId) => filesIn(commitId, ''),
    folder,
    files,
    messages,
    build,
    commit,
    pulls: mergeRequests(api, head),
  }
}
