import * as z from 'zod/mini'
import type { CmsBuild } from '../../../publishing/target/cms-adapter.ts'
import { type CmsDeps, freshParameter, type Got, got, misfit, refused } from '../http.ts'
import { base64, textOfBase64 } from './base64.ts'
import { type GitHost, type Paths, type Proposal, type Pull, type PullHost, said } from './host.ts'
import { committedOr, escapedPath, noBranch, operationOf, readEach, readPages, restApi, within } from './rest.ts'

const RepositoryAnswer = z.object({
  full_name: z.string(),
  html_url: z.string(),
  website: z.nullish(z.string()),
  archived: z.boolean(),
  default_branch: z.string(),
})
const BranchAnswer = z.object({ name: z.string(), commit: z.object({ id: z.string() }) })
const Entry = z.object({ path: z.string(), type: z.string(), sha: z.string() })
const Tree = z.object({ tree: z.nullish(z.array(Entry)), truncated: z.optional(z.boolean()) })
const OneFile = z.object({ type: z.string(), sha: z.string(), content: z.nullish(z.string()) })
const FileAnswer = z.union([OneFile, z.array(z.unknown())])
const CommitAnswer = z.object({ sha: z.string(), commit: z.object({ message: z.string() }) })
const StatusAnswer = z.object({
  state: z.string(),
  statuses: z.nullish(z.array(z.object({ status: z.string(), target_url: z.nullish(z.string()) }))),
})

const BUILDS: Readonly<Record<string, CmsBuild['state']>> = {
  success: 'built',
  warning: 'built',
  pending: 'waiting',
  error: 'failed',
  failure: 'failed',
}

const NO_BUILD: CmsBuild = { state: 'none', url: null }

/** Refusals of a commit whose file is not the one that was read. */
const STALE = /sha does not match|already exists|does not exist/i

const User = z.nullish(z.object({ login: z.string() }))
const Side = z.object({ label: z.string(), sha: z.string(), repo_id: z.number() })
const PullAnswer = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  state: z.string(),
  merged: z.boolean(),
  head: Side,
  base: Side,
})
const Comments = z.array(z.object({ body: z.string(), user: User }))
const Reviews = z.array(
  z.object({ id: z.number(), body: z.string(), user: User, comments_count: z.nullish(z.number()) }),
)

const TREE_PAGE = 1_000
const MAX_TREE_PAGES = 20
const PULL_PAGE = 50
const MAX_PULL_PAGES = 6
const PLAIN = 'stat=false&verification=false&files=false'
const fresh = () => new URLSearchParams(freshParameter())

const pathsIn = (entries: readonly z.infer<typeof Entry>[]): string[] =>
  entries.filter(({ type }) => type === 'blob').map(({ path }) => path)

type Api = ReturnType<typeof restApi>

const saidBy = (user: z.infer<typeof User>, body: string): string[] => said(user?.login ?? 'ghost', body)

/** Returns comments and reviews of a pull request. */
const wordsOn = async ({ read }: Api, number: number): Promise<Got<string[]>> => {
  const comments = await read(`/issues/${number}/comments`, Comments)
  if (comments.kind !== 'got') return comments
  const reviews = await read(`/pulls/${number}/reviews`, Reviews)
  if (reviews.kind !== 'got') return reviews
  const lines = await readEach(reviews.value ?? [], async ({ id, user, body, comments_count }) => {
    const own = comments_count ? await read(`/pulls/${number}/reviews/${id}/comments`, Comments) : got([])
    return own.kind === 'got'
      ? got([...saidBy(user, body), ...(own.value ?? []).flatMap((line) => saidBy(line.user ?? user, line.body))])
      : own
  })
  return lines.kind === 'got'
    ? got([...(comments.value ?? []).flatMap((one) => saidBy(one.user, one.body)), ...lines.value.flat()])
    : lines
}

const giteaPulls = (api: Api, head: (branch: string) => Promise<Got<string | undefined>>): PullHost => {
  const { read, write, remove } = api
  const branchAt = (branch: string) => `/branches/${escapedPath(branch)}`

  /** Returns the newest pull request of a branch. The API returns any one of it, so others are looked for if that one has ended. */
  const newestOf = async (branch: string, base: string): Promise<Got<z.infer<typeof PullAnswer> | undefined>> => {
    const one = await read(`/pulls/${escapedPath(base)}/${escapedPath(branch)}?${fresh()}`, PullAnswer)
    if (one.kind !== 'got' || one.value === undefined || one.value.state === 'open') return one
    for (let page = 1; page <= MAX_PULL_PAGES; page += 1) {
      const list = await read(`/pulls?state=all&limit=${PULL_PAGE}&page=${page}&${fresh()}`, z.array(PullAnswer))
      if (list.kind !== 'got') return list
      // The label is the branch's name even after it was deleted.
      const found = list.value?.find(
        (pull) => pull.head.label === branch && pull.base.label === base && pull.head.repo_id === pull.base.repo_id,
      )
      if (found) return got(found)
      if ((list.value ?? []).length < PULL_PAGE) break
    }
    return one
  }

  const pullOf = async (found: z.infer<typeof PullAnswer>): Promise<Got<Pull>> => {
    const { number, html_url: url, title, state, merged, head: side } = found
    const newest = await read(`/git/commits/${side.sha}?${PLAIN}`, CommitAnswer, { ofCommit: true })
    if (newest.kind !== 'got') return newest
    const isOpen = state === 'open'
    const words = isOpen || merged ? got([]) : await wordsOn(api, number)
    if (words.kind !== 'got') return words
    return got({
      id: String(number),
      url,
      title,
      state: merged ? 'merged' : isOpen ? 'open' : 'closed',
      head: side.sha,
      lastMessage: newest.value?.commit.message ?? '',
      said: words.value,
    })
  }

  const proposal: PullHost['proposal'] = async (branch, base) => {
    const at = await head(branch)
    if (at.kind !== 'got') return at
    const found = await newestOf(branch, base)
    if (found.kind !== 'got') return found
    const pull = found.value ? await pullOf(found.value) : got(undefined)
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
      return await write('POST', '/branches', { new_branch_name: found.branch, old_ref_name: oid }, z.unknown())
    },
    open: async ({ branch }, { base, title, body }) => {
      const opened = await write('POST', '/pulls', { base, head: branch, title, body }, PullAnswer)
      if (opened.kind === 'refused' && opened.httpStatus === 409) return got('exists')
      return opened.kind === 'got' ? got({ url: opened.value.html_url }) : opened
    },
    rename: ({ id }, title) => write('PATCH', `/pulls/${id}`, { title }, z.unknown()),
    close: async (found, { id }, comment) => {
      const closed = await write('PATCH', `/pulls/${id}`, { state: 'closed' }, z.unknown())
      if (closed.kind !== 'got') return closed
      await write('POST', `/issues/${id}/comments`, { body: comment }, z.unknown())
      return await deleteBranch(found)
    },
    deleteBranch,
  }
}

/**
 * Returns Gitea or Forgejo as a host of a repository (`owner/name`), with a token that may write it.
 *
 * A commit names the hash of the file that was read. The host refuses it if the file has another, or exists already: so a repeated
 * commit is never made twice, and never on top of an edit.
 */
export const gitea = (
  deps: CmsDeps,
  { name, api: address, repository, token }: { name: string; api: string; repository: string; token: string },
): GitHost => {
  const api = restApi(deps, {
    name,
    at: `${address}/repos/${repository}`,
    headers: { Authorization: `token ${token}` },
    rights: 'The token needs the scope write:repository, and for pull requests also write:issue.',
  })
  const { read, write } = api

  const head = async (branch: string): Promise<Got<string | undefined>> => {
    const found = await read(`/branches/${escapedPath(branch)}?${fresh()}`, BranchAnswer)
    return found.kind === 'got' ? got(found.value?.commit.id) : found
  }

  const load: GitHost['repository'] = async (branch, whole) => {
    const about = whole || branch === undefined ? await read('', RepositoryAnswer) : got(undefined)
    if (about.kind !== 'got') return about
    if (about.value === undefined && whole)
      return refused('site_not_found', `${name} has no repository ${repository}, or the token may not read it.`, 404)
    const wanted = branch ?? about.value?.default_branch ?? ''
    const at = await head(wanted)
    if (at.kind !== 'got') return at
    if (at.value === undefined) return noBranch(repository, branch)
    const { full_name = repository, html_url: url = '', website, archived = false } = about.value ?? {}
    return got({ name: full_name, url, homepage: website ?? '', isArchived: archived, branch: wanted, head: at.value })
  }

  /** Returns the paths of all files of a tree. */
  const filesOf = async (tree: string): Promise<Got<Paths>> => {
    const listed = await readPages(MAX_TREE_PAGES, async (page) => {
      const query = `recursive=true&per_page=${TREE_PAGE}&page=${page}`
      const answer = await read(`/git/trees/${tree}?${query}`, Tree, { ofCommit: true })
      return answer.kind === 'got'
        ? got({ values: answer.value?.tree ?? [], isLast: !answer.value?.truncated })
        : answer
    })
    if (listed.kind !== 'got') return listed
    const { values, isCut } = listed.value
    return got({ paths: pathsIn(values), isCut })
  }

  const folder: GitHost['folder'] = async (commit, at) => {
    const whole = await read(`/git/trees/${commit}?recursive=true&per_page=${TREE_PAGE}`, Tree, { ofCommit: true })
    if (whole.kind !== 'got') return whole
    if (!whole.value?.truncated) return got(within(pathsIn(whole.value?.tree ?? []), at))
    // In a large repository only the folder's own tree is read, by its id, which the folder above it has.
    const above = escapedPath(at.split('/').slice(0, -1).join('/'))
    const siblings =
      at === '' ? got([]) : await read(`/contents/${above}?ref=${commit}`, z.array(Entry), { ofCommit: true })
    if (siblings.kind !== 'got') return siblings
    const tree = at === '' ? commit : siblings.value?.find(({ path, type }) => path === at && type === 'dir')?.sha
    const listed = tree === undefined ? got({ paths: [], isCut: false }) : await filesOf(tree)
    if (listed.kind !== 'got') return listed
    if (listed.value.isCut) return misfit(`The folder ${at} has too many files to look through.`)
    return got(
      within(
        listed.value.paths.map((path) => (at === '' ? path : `${at}/${path}`)),
        at,
      ),
    )
  }

  const files: GitHost['files'] = (commit, wanted) =>
    readEach(wanted, async (path) => {
      const file = await read(`/contents/${escapedPath(path)}?ref=${commit}`, FileAnswer, { ofCommit: true })
      if (file.kind !== 'got') return file
      const isFile = file.value !== undefined && !Array.isArray(file.value) && file.value.type === 'file'
      const { sha: id, content } = isFile ? (file.value as z.infer<typeof OneFile>) : { sha: '', content: null }
      const text = typeof content === 'string' ? textOfBase64(content) : undefined
      return got(text === undefined ? undefined : { path, id, text })
    })

  const commitsOf = async (commit: string, path: string, limit: number) =>
    await read(
      `/commits?${new URLSearchParams({ sha: commit, path, limit: String(limit) })}&${PLAIN}`,
      z.array(CommitAnswer),
      { ofCommit: true },
    )

  const messages: GitHost['messages'] = async (commit, path) => {
    const found = await commitsOf(commit, path, 20)
    return found.kind === 'got' ? got((found.value ?? []).map((one) => one.commit.message)) : found
  }

  const build: GitHost['build'] = async (commit, path) => {
    const found = await commitsOf(commit, path, 1)
    if (found.kind !== 'got') return found
    const [last] = found.value ?? []
    const answer = last ? await read(`/commits/${last.sha}/status?${fresh()}`, StatusAnswer) : got(undefined)
    if (answer.kind !== 'got')
      return answer.kind === 'refused' && answer.code === 'auth_forbidden' ? got(NO_BUILD) : answer
    const statuses = answer.value?.statuses ?? []
    const state = statuses.length > 0 ? (BUILDS[answer.value?.state ?? ''] ?? 'none') : 'none'
    const page = statuses.find((one) => BUILDS[one.status] === state)?.target_url ?? ''
    return got({
      state,
      url: state !== 'built' && page !== '' && URL.canParse(page, address) ? new URL(page, address).href : null,
    })
  }

  const commit: GitHost['commit'] = async (given) => {
    const { branch, headline, body, path, text, was } = given
    const file = {
      operation: operationOf(given),
      path,
      ...(text === null ? {} : { content: base64(text) }),
      ...(was ? { sha: was.id } : {}),
    }
    const answer = await write(
      'POST',
      '/contents',
      { branch, message: `${headline}\n\n${body}`, files: [file] },
      z.unknown(),
    )
    return committedOr(answer, (reason, status) => status === 404 || status === 409 || STALE.test(reason))
  }

  return {
    name,
    repository: load,
    paths: filesOf,
    folder,
    files,
    messages,
    build,
    commit,
    pulls: giteaPulls(api, head),
  }
}
