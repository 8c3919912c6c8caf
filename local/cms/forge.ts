import { randomBytes } from 'node:crypto'
import { published } from '../published.ts'
import type { Answer } from '../receiver/answers.ts'
import { json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { type Files, type GitRepository, makeRepository } from './git-repository.ts'
import { makePulls, type PullRequest, type Pulls, Unprocessable } from './github-pulls.ts'

export type ForgeOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** Files of the repository's first commit. */
  files: Files
  homepage?: string
}

/** Settings of a repository at a stand-in of Gitea or GitLab. */
type Settings = {
  /** Right of the token: `none` hides the repository. */
  contents: 'write' | 'read' | 'none'
  /** True if the branch `main` takes no direct commits. */
  isProtected: boolean
  isArchived: boolean
  /** State of the builds of all commits, in the words of the host; null: there are none. */
  build: string | null
}

/** Repository at a stand-in, and what its API says of it. */
export type Forge = {
  repository: GitRepository
  pulls: Pulls
  name: string
  token: string
  settings: Settings
  homepage: string
  before: { run: (() => void) | undefined }
}

export type ForgeStandIn = StandIn &
  Omit<Forge, 'before' | 'homepage'> & {
    /** Runs before each commit, as another person's push would. */
    beforeCommit: (run: (() => void) | undefined) => void
  }

export const NO_CONTENT = { status: 204, headers: {}, body: '' }

/** Refusal with a status and the host's words. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Handler = (forge: Forge, request: StandInRequest, parts: readonly string[]) => Answer

/** Operation of an API: method, the path within the repository as a pattern, and what it does. */
export type Route = readonly [string, RegExp, Handler]

/** API of a stand-in. `prefix` matches the repository’s address; its first group is the repository, the second the rest. */
export type ForgeApi = {
  schema: 'gitea' | 'gitlab'
  prefix: RegExp
  isSignedIn: (request: StandInRequest, token: string) => boolean
  routes: readonly Route[]
}

/** Throws unless the token may write to a branch. */
export const checkWrites = ({ settings }: Forge, branch: string, words: string): void => {
  if (settings.contents !== 'write') throw new Refusal(403, '403 Forbidden')
  if (settings.isArchived) throw new Refusal(423, 'Repository is archived')
  if (settings.isProtected && branch === 'main') throw new Refusal(403, words)
}

/** Returns the pull request of a number. Throws 404. */
export const pullOf = ({ pulls }: Forge, number: string): PullRequest => {
  const found = pulls.all.find((one) => one.number === Number(number))
  if (!found) throw new Refusal(404, '404 Not found')
  return found
}

/** Opens a pull request. Throws 409 if the branch has an open one. */
export const openPull = ({ pulls }: Forge, given: Parameters<Pulls['open']>[0], words: string): PullRequest => {
  try {
    return pulls.open(given)
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error
    throw /already exists/.test(error.message) ? new Refusal(409, words) : new Refusal(422, error.message)
  }
}

/** Starts a stand-in of a host on 127.0.0.1, over a real bare repository. It refuses what is not in the published API. */
export const startForge = async (
  { schema, prefix, isSignedIn, routes }: ForgeApi,
  { files, homepage = '', ...options }: ForgeOptions,
): Promise<ForgeStandIn> => {
  const repository = makeRepository(files, options.now ?? (() => new Date()))
  const forge: Forge = {
    repository,
    pulls: makePulls(repository),
    name: 'jane/blog',
    token: randomBytes(20).toString('hex'),
    settings: { contents: 'write', isProtected: false, isArchived: false, build: null },
    homepage,
    before: { run: undefined },
  }
  const refused = (status: number, message: string) => json(status, { message })
  const answer = (request: StandInRequest): Answer => {
    const [, name = '', path = ''] = prefix.exec(request.path) ?? []
    if (!isSignedIn(request, forge.token)) return refused(401, '401 Unauthorized')
    if (decodeURIComponent(name).toLowerCase() !== forge.name || forge.settings.contents === 'none')
      return refused(404, '404 Not found')
    try {
      for (const [method, pattern, handle] of routes) {
        const found = method === request.method ? pattern.exec(path) : null
        if (found) return handle(forge, request, found.slice(1).map(decodeURIComponent))
      }
      return refused(404, '404 Not found')
    } catch (error) {
      if (error instanceof Refusal) return refused(error.status, error.message)
      throw error
    }
  }
  const standIn = await startStandIn({
    ...options,
    answer,
    published: {
      schema: published(schema),
      refused: ({ message, path }) => refused(422, `${path.join('.')}: ${message}`),
    },
    posts: () => repository.entries(repository.head('main') ?? '').map(({ path }) => path),
  })
  const { before, homepage: _, ...shown } = forge
  return {
    ...standIn,
    ...shown,
    beforeCommit: (run) => {
      before.run = run
    },
  }
}
