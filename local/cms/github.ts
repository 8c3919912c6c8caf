import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLError, graphqlSync } from 'graphql'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import type { Forge } from './forge.ts'
import { type Files, type GitRepository, makeRepository } from './git-repository.ts'
import { makePulls, type PullRequest, type Pulls, Unprocessable } from './github-pulls.ts'

export type GithubOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** Files of the repository's first commit. */
  files: Files
  homepage?: string
}

/** State of the builds of all commits: their checks together, and their deployments, the oldest first. */
type Builds = {
  checks: string | null
  deployments: { state: string; environmentUrl: string | null; logUrl: string | null }[]
}

/** Settings of a repository at GitHub. */
type Settings = {
  /** Right of the token: `none` hides the repository, as GitHub does. */
  contents: 'write' | 'read' | 'none'
  /** True if the token may read and write pull requests. */
  writesPulls: boolean
  /** Rule of the branch `main` that refuses direct commits: of classic protection, or of a ruleset. */
  rule: 'none' | 'classic' | 'ruleset'
  isArchived: boolean
  builds: Builds
  /** True if the token may read checks and deployments. */
  readsBuilds: boolean
}

export type GithubStandIn = StandIn & {
  repository: GitRepository
  pulls: Pulls
  name: string
  token: string
  settings: Settings
  /** Runs before each commit, as another person's push would. */
  beforeCommit: (run: (() => void) | undefined) => void
}

const schema = buildSchema(readFileSync(new URL('./github.graphql', import.meta.url), 'utf8'))

/** Error with GitHub's type. */
class Typed extends Error {
  readonly type: string | undefined
  constructor(message: string, type?: string) {
    super(message)
    this.type = type
  }
}

type World = Omit<Forge, 'settings'> & { settings: Settings }

const blob = (repository: GitRepository, oid: string) => ({
  __typename: 'Blob',
  oid,
  text: () => repository.text(oid),
  isTruncated: () => repository.text(oid).length > 512_000,
  isBinary: false,
})

/** Returns a folder of a commit with its entries; null if there is none. */
const tree = (repository: GitRepository, commit: string, folder: string): unknown => {
  const start = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`
  const inner = repository.entries(commit).filter(({ path }) => path.startsWith(start))
  if (inner.length === 0) return null
  const names = [...new Set(inner.map(({ path }) => path.slice(start.length).split('/')[0] ?? ''))]
  return {
    __typename: 'Tree',
    oid: commit,
    entries: names.map((name) => {
      const file = inner.find(({ path }) => path === start + name)
      return {
        name,
        type: file ? 'blob' : 'tree',
        object: () => (file ? blob(repository, file.oid) : tree(repository, commit, start + name)),
      }
    }),
  }
}

const FORBIDDEN = () => new Typed('Resource not accessible by personal access token', 'FORBIDDEN')

const commitObject = (repository: GitRepository, oid: string, settings: Settings): Record<string, unknown> => ({
  __typename: 'Commit',
  oid,
  message: () => repository.git(['log', '-1', '--format=%B', oid]),
  history: ({ path = '', first = 100 }: { path?: string; first?: number }) => ({
    nodes: repository
      .log(oid, path)
      .slice(0, first)
      .map(({ message }) => ({ ...commitObject(repository, oid, settings), message })),
  }),
  statusCheckRollup: () => {
    if (!settings.readsBuilds) throw FORBIDDEN()
    return settings.builds.checks === null ? null : { state: settings.builds.checks }
  },
  deployments: () => {
    if (!settings.readsBuilds) throw FORBIDDEN()
    return { nodes: settings.builds.deployments.map((latestStatus) => ({ environment: 'production', latestStatus })) }
  },
})

const object = (
  { repository, settings }: World,
  { expression, oid }: { expression?: string; oid?: string },
): unknown => {
  if (oid) return commitObject(repository, oid, settings)
  const [commit = '', path = ''] = (expression ?? '').split(/:(.*)/s)
  const file = repository.entries(commit).find((entry) => entry.path === path)
  return file ? blob(repository, file.oid) : tree(repository, commit, path)
}

const unknownRepository = (name: string) =>
  new Typed(`Could not resolve to a Repository with the name '${name}'.`, 'NOT_FOUND')

type CommitInput = {
  branch: { repositoryNameWithOwner?: string; branchName?: string }
  expectedHeadOid: string
  message: { headline: string; body?: string }
  fileChanges?: { additions: { path: string; contents: string }[]; deletions: { path: string }[] }
}

const checkRules = ({ settings }: World, branch: string, paths: readonly string[]): void => {
  if (settings.contents !== 'write') throw FORBIDDEN()
  if (settings.isArchived) throw new Typed('Repository was archived so is read-only.', 'FORBIDDEN')
  const isRuled = branch === 'main'
  if (isRuled && settings.rule === 'classic')
    throw new Typed('Changes must be made through a pull request.', 'BRANCH_PROTECTION_RULE_VIOLATION')
  if (isRuled && settings.rule === 'ruleset')
    throw new Typed('Repository rule violations found\n\nChanges must be made through a pull request.\n')
  if (paths.some((path) => path.startsWith('.github/workflows/')))
    throw new Typed('refusing to allow a Personal Access Token to create or update workflow', 'FORBIDDEN')
}

const createCommit = (world: World, { input }: { input: CommitInput }): unknown => {
  const { repository, name, before } = world
  const { branch, expectedHeadOid, message, fileChanges } = input
  if (branch.repositoryNameWithOwner !== name || world.settings.contents === 'none')
    throw unknownRepository(branch.repositoryNameWithOwner ?? '')
  const { additions = [], deletions = [] } = fileChanges ?? {}
  const paths = [...additions, ...deletions].map(({ path }) => path)
  const branchName = branch.branchName ?? ''
  checkRules(world, branchName, paths)
  before.run?.()
  const head = repository.head(branchName)
  if (head === undefined) throw new Typed(`A ref named "refs/heads/${branchName}" does not exist.`, 'NOT_FOUND')
  if (head !== expectedHeadOid)
    throw new Typed(
      `Expected branch to point to "${expectedHeadOid}" but it did not. Pull and try again.`,
      'STALE_DATA',
    )
  if (new Set(paths).size < paths.length) throw new Typed('A path was given more than once.', 'UNPROCESSABLE')
  const there = new Set(repository.entries(head).map(({ path }) => path))
  const absent = deletions.find(({ path }) => !there.has(path))
  if (absent)
    throw new Typed(
      `A path was requested for deletion which does not exist as of commit oid \`${head}\``,
      'UNPROCESSABLE',
    )
  const files: Files = {
    ...Object.fromEntries(
      additions.map(({ path, contents }) => [path, Buffer.from(contents, 'base64').toString('utf8')]),
    ),
    ...Object.fromEntries(deletions.map(({ path }) => [path, null])),
  }
  const words = `${message.headline}\n\n${message.body ?? ''}`.trim()
  const oid = repository.commit(branchName, head, files, { message: words, author: 'galley[bot]' })
  return { commit: commitObject(repository, oid, world.settings) }
}

const author = (login: string) => ({ __typename: 'User', login })

const pullObject = ({ repository, pulls, settings, name }: World, pull: PullRequest) => ({
  id: `PR_${pull.number}`,
  url: `https://github.com/${name}/pull/${pull.number}`,
  title: pull.title,
  state: pull.state,
  headRefOid: pulls.headOf(pull),
  isCrossRepository: pull.isCross,
  commits: () => ({ nodes: [{ commit: commitObject(repository, pulls.headOf(pull), settings) }] }),
  comments: () => ({ nodes: pull.comments.map((one) => ({ ...one, author: author(one.author) })) }),
  reviews: () => ({
    nodes: pull.reviews.map(({ lines, ...one }) => ({
      ...one,
      author: author(one.author),
      comments: { nodes: lines.map((body) => ({ body })) },
    })),
  }),
})

const REF = /^REF_(.*)$/s
const branchIn = (refId: string): string => REF.exec(refId)?.[1] ?? ''
const pullIn = (world: World, id: string): PullRequest => world.pulls.find(Number(id.replace(/^PR_/, '')))

/** Returns a mutation that a token without the right to pull requests is refused. */
const pulling =
  <T>(world: World, run: (input: T) => unknown) =>
  ({ input }: { input: T }): unknown => {
    if (!world.settings.writesPulls) throw FORBIDDEN()
    try {
      return run(input)
    } catch (error) {
      throw error instanceof Unprocessable ? new Typed(error.message, 'UNPROCESSABLE') : error
    }
  }

const refOf = ({ repository, settings }: World, branch: string) => {
  const oid = repository.head(branch)
  return oid === undefined
    ? null
    : { id: `REF_${branch}`, name: branch, target: commitObject(repository, oid, settings) }
}

/** Returns the mutations of branches and pull requests. */
const pullMutations = (world: World) => ({
  createRef: ({ input: { name, oid } }: { input: { name: string; oid: string } }) => {
    if (world.settings.contents !== 'write') throw FORBIDDEN()
    const branch = name.replace(/^refs\/heads\//, '')
    if (world.repository.head(branch) !== undefined)
      throw new Typed(`A ref named "${name}" already exists in the repository.`, 'UNPROCESSABLE')
    world.pulls.point(branch, oid)
    return { ref: refOf(world, branch) }
  },
  updateRef: ({ input: { refId, oid } }: { input: { refId: string; oid: string } }) => {
    if (world.settings.contents !== 'write') throw FORBIDDEN()
    world.pulls.point(branchIn(refId), oid)
    return { ref: refOf(world, branchIn(refId)) }
  },
  deleteRef: ({ input: { refId } }: { input: { refId: string } }) => {
    if (world.repository.head(branchIn(refId)) === undefined)
      throw new Typed(`Could not resolve to a node with the global id of '${refId}'`, 'NOT_FOUND')
    world.pulls.deleteBranch(branchIn(refId))
    return {}
  },
  createPullRequest: pulling<{ baseRefName: string; headRefName: string; title: string; body?: string }>(
    world,
    ({ baseRefName: base, headRefName: branch, title, body = '' }) => ({
      pullRequest: pullObject(world, world.pulls.open({ base, branch, title, body })),
    }),
  ),
  updatePullRequest: pulling<{ pullRequestId: string; title?: string }>(world, ({ pullRequestId, title }) => {
    const pull = pullIn(world, pullRequestId)
    if (title !== undefined) pull.title = title
    return { pullRequest: pullObject(world, pull) }
  }),
  closePullRequest: pulling<{ pullRequestId: string }>(world, ({ pullRequestId }) => {
    const pull = pullIn(world, pullRequestId)
    world.pulls.close(pull.number)
    return { pullRequest: pullObject(world, pull) }
  }),
  addComment: pulling<{ subjectId: string; body: string }>(world, ({ subjectId, body }) => {
    pullIn(world, subjectId).comments.push({ author: 'galley[bot]', body })
    return {}
  }),
})

const root = (world: World) => ({
  ...pullMutations(world),
  repository: ({ owner, name }: { owner: string; name: string }) => {
    const { settings } = world
    if (`${owner}/${name}`.toLowerCase() !== world.name || settings.contents === 'none')
      throw unknownRepository(`${owner}/${name}`)
    const ref = (branch: string) => refOf(world, branch)
    return {
      id: 'R_1',
      pullRequests: ({
        headRefName,
        baseRefName,
        first,
      }: {
        headRefName: string
        baseRefName: string
        first: number
      }) => {
        if (!settings.writesPulls) throw FORBIDDEN()
        const found = world.pulls.all.filter((pull) => pull.branch === headRefName && pull.base === baseRefName)
        return {
          nodes: found
            .reverse()
            .slice(0, first)
            .map((pull) => pullObject(world, pull)),
        }
      },
      nameWithOwner: world.name,
      url: `https://github.com/${world.name}`,
      homepageUrl: world.homepage || null,
      isArchived: settings.isArchived,
      defaultBranchRef: () => ref('main'),
      ref: ({ qualifiedName }: { qualifiedName: string }) => ref(qualifiedName.replace(/^refs\/heads\//, '')),
      object: (given: { expression?: string; oid?: string }) => object(world, given),
    }
  },
  createCommitOnBranch: (given: { input: CommitInput }) => createCommit(world, given),
})

const errorOf = ({ message, path, originalError }: GraphQLError) => ({
  ...(originalError instanceof Typed && originalError.type ? { type: originalError.type } : {}),
  ...(path ? { path } : {}),
  message,
})

const graphql = (world: World, { body }: StandInRequest): Answer => {
  const { query = '', variables = {} } = (body ?? {}) as { query?: string; variables?: Record<string, unknown> }
  const { data, errors } = graphqlSync({ schema, source: query, rootValue: root(world), variableValues: variables })
  return json(200, { ...(data === undefined ? {} : { data }), ...(errors ? { errors: errors.map(errorOf) } : {}) })
}

const refusal = (status: number, message: string): Answer =>
  json(status, { message, documentation_url: 'https://docs.github.com/rest', status: String(status) })

const answer = (world: World, request: StandInRequest): Answer => {
  const { method, path, headers } = request
  if (headers.authorization !== `Bearer ${world.token}`) return refusal(401, 'Bad credentials')
  if (method === 'POST' && path === '/graphql') return graphql(world, request)
  const [, owner, name, sha = ''] = /^\/repos\/([^/]+)\/([^/]+)\/git\/trees\/([0-9a-f]{40})$/.exec(path) ?? []
  if (method !== 'GET' || `${owner}/${name}`.toLowerCase() !== world.name || world.settings.contents === 'none')
    return refusal(404, 'Not Found')
  const entries = world.repository.entries(sha)
  return json(200, {
    sha,
    tree: entries.map((entry) => ({ path: entry.path, mode: '100644', type: entry.type, sha: entry.oid })),
    truncated: false,
  })
}

/**
 * Starts a stand-in of GitHub's API on 127.0.0.1, over a real bare repository. Its GraphQL documents run against a part of
 * the published schema.
 */
export const startGithub = async ({ files, homepage = '', ...options }: GithubOptions): Promise<GithubStandIn> => {
  const repository = makeRepository(files, options.now ?? (() => new Date()))
  const world: World = {
    repository,
    pulls: makePulls(repository),
    name: 'jane/blog',
    token: `github_pat_${randomBytes(24).toString('hex')}`,
    settings: {
      contents: 'write',
      writesPulls: true,
      rule: 'none',
      isArchived: false,
      builds: { checks: null, deployments: [] },
      readsBuilds: true,
    },
    homepage,
    before: { run: undefined },
  }
  const standIn = await startStandIn({
    ...options,
    answer: (request) => answer(world, request),
    posts: () => repository.entries(repository.head('main') ?? '').map(({ path }) => path),
  })
  return {
    ...standIn,
    repository,
    pulls: world.pulls,
    name: world.name,
    token: world.token,
    settings: world.settings,
    beforeCommit: (run) => {
      world.before.run = run
    },
  }
}
