import * as z from 'zod/mini'
import { withStop } from '../../../platform/lib/text.ts'
import type { CmsBuild, CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import { type CmsAnswer, type CmsDeps, callCms, type Got, got, quotable, readAnswer, refused } from '../http.ts'
import { base64 } from './base64.ts'
import { githubPulls } from './github-pulls.ts'
import type { Commit, GitHost, Paths, Repository, RepositoryFile } from './host.ts'

const NAME = 'GitHub'

const Errors = z.array(z.looseObject({ message: z.string(), type: z.optional(z.string()) }))
const Answered = z.looseObject({ data: z.optional(z.nullable(z.unknown())), errors: z.optional(Errors) })
/** Errors of the REST API, and of GraphQL before a query is read. The link tells them from those of a firewall. */
const Refusal = z.looseObject({ message: z.string(), documentation_url: z.string() })

const REPOSITORY = `query Repository($owner: String!, $name: String!, $branch: String!, $named: Boolean!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner url homepageUrl isArchived
    defaultBranchRef { name target { oid } }
    ref(qualifiedName: $branch) @include(if: $named) { name target { oid } }
  }
}`

const FOLDER = `query Folder($owner: String!, $name: String!, $at: String!) {
  repository(owner: $owner, name: $name) {
    object(expression: $at) {
      ... on Tree { entries { name type object { ... on Tree { entries { name type } } } } }
    }
  }
}`

const MESSAGES = `query Messages($owner: String!, $name: String!, $oid: GitObjectID!, $path: String!) {
  repository(owner: $owner, name: $name) {
    object(oid: $oid) { ... on Commit { history(first: 20, path: $path) { nodes { message } } } }
  }
}`

const BUILD = `query Build($owner: String!, $name: String!, $oid: GitObjectID!, $path: String!) {
  repository(owner: $owner, name: $name) {
    object(oid: $oid) {
      ... on Commit {
        history(first: 1, path: $path) {
          nodes {
            statusCheckRollup { state }
            deployments(last: 5) { nodes { latestStatus { state environmentUrl logUrl } } }
          }
        }
      }
    }
  }
}`

const COMMIT = `mutation Commit($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`

/** Returns a query for the texts of several files of a commit. */
const filesQuery = (count: number): string => {
  const places = Array.from({ length: count }, (_, n) => n)
  const variables = places.map((n) => `, $at${n}: String!`).join('')
  const fields = places.map((n) => `    f${n}: object(expression: $at${n}) { ...File }`).join('\n')
  return `query Files($owner: String!, $name: String!${variables}) {
  repository(owner: $owner, name: $name) {
${fields}
  }
}
fragment File on Blob { oid text isTruncated }`
}

const Ref = z.nullish(z.object({ name: z.string(), target: z.nullable(z.object({ oid: z.string() })) }))
const RepositoryAnswer = z.object({
  repository: z.object({
    nameWithOwner: z.string(),
    url: z.string(),
    homepageUrl: z.nullable(z.string()),
    isArchived: z.boolean(),
    defaultBranchRef: Ref,
    ref: Ref,
  }),
})
const Entry = z.object({ name: z.string(), type: z.string() })
const FolderAnswer = z.object({
  repository: z.object({
    object: z.nullable(
      z.object({
        entries: z.optional(
          z.array(z.extend(Entry, { object: z.nullish(z.object({ entries: z.optional(z.array(Entry)) })) })),
        ),
      }),
    ),
  }),
})
const File = z.nullable(
  z.object({ oid: z.optional(z.string()), text: z.nullish(z.string()), isTruncated: z.optional(z.boolean()) }),
)
const FilesAnswer = z.object({ repository: z.record(z.string(), File) })
const MessagesAnswer = z.object({
  repository: z.object({
    object: z.nullable(
      z.object({ history: z.optional(z.object({ nodes: z.array(z.object({ message: z.string() })) })) }),
    ),
  }),
})
const Deployment = z.object({
  latestStatus: z.nullable(
    z.object({ state: z.string(), environmentUrl: z.nullable(z.string()), logUrl: z.nullable(z.string()) }),
  ),
})
const Built = z.object({
  statusCheckRollup: z.nullable(z.object({ state: z.string() })),
  deployments: z.nullable(z.object({ nodes: z.array(z.nullable(Deployment)) })),
})
const BuildAnswer = z.object({
  repository: z.object({
    object: z.nullable(z.object({ history: z.optional(z.object({ nodes: z.array(z.nullable(Built)) })) })),
  }),
})

/** Meaning of GitHub's states of deployments and checks. A newer deployment makes an older one inactive. */
const BUILDS: Readonly<Record<string, CmsBuild['state']>> = {
  SUCCESS: 'built',
  INACTIVE: 'built',
  FAILURE: 'failed',
  ERROR: 'failed',
  PENDING: 'waiting',
  QUEUED: 'waiting',
  IN_PROGRESS: 'waiting',
  WAITING: 'waiting',
  EXPECTED: 'waiting',
}

/** Returns the build of a commit: its newest deployment, else its checks and statuses together. */
const buildIn = (built: z.infer<typeof Built> | null | undefined): CmsBuild => {
  const deployed = built?.deployments?.nodes.flatMap((node) => node?.latestStatus ?? []).at(-1)
  const state = BUILDS[deployed?.state ?? built?.statusCheckRollup?.state ?? ''] ?? 'none'
  return { state, url: (state === 'built' ? deployed?.environmentUrl : deployed?.logUrl) || null }
}

const CommitAnswer = z.object({ createCommitOnBranch: z.object({ commit: z.object({ oid: z.string() }) }) })
const TreeAnswer = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string() })),
  truncated: z.boolean(),
})

const CODES: Record<number, CmsFailureCode> = { 401: 'auth_invalid', 403: 'auth_forbidden', 404: 'site_not_found' }
const TYPES: Record<string, CmsFailureCode> = {
  NOT_FOUND: 'site_not_found',
  FORBIDDEN: 'auth_forbidden',
  INSUFFICIENT_SCOPES: 'auth_forbidden',
  RATE_LIMITED: 'rate_limited',
  STALE_DATA: 'conflict',
  BRANCH_PROTECTION_RULE_VIOLATION: 'blocked',
}

const HINTS: Partial<Record<CmsFailureCode, string>> = {
  auth_invalid: ' Make a new token and connect with it.',
  auth_forbidden:
    ' The token needs the permission “Contents: Read and write” for this repository, and for pull requests also “Pull requests: Read and write”.',
  site_not_found: ' Check the name of the repository, and that the token was made for it.',
  blocked:
    ' The rules of the branch allow no direct commits. Connect with the mode pull_request, or allow them for the owner of the token.',
}

/** Rulesets have no type of their own, only this text. */
const RULES = /rule violations? found|protected branch|branch protection/i
const INTERNAL = /something went wrong|timed? ?out|internal/i

const refusalOf = (words: string, code: CmsFailureCode, status: number): CmsFailure =>
  refused(code, `${NAME} says: ${withStop(quotable(words))}${HINTS[code] ?? ''}`, status, code === 'rate_limited')

/** Returns the refusal in an answer; undefined if the answer has data alone. */
const failureIn = ({ status, headers, json }: CmsAnswer, writes: boolean): CmsFailure | undefined => {
  if (status >= 300) {
    const words = Refusal.safeParse(json).data?.message ?? `HTTP ${status}`
    const isLimit = status === 403 && (headers.get('x-ratelimit-remaining') === '0' || /rate limit/i.test(words))
    return refusalOf(words, isLimit ? 'rate_limited' : (CODES[status] ?? 'validation'), status)
  }
  const [error] = Answered.safeParse(json).data?.errors ?? []
  if (!error) return undefined
  const { message, type } = error
  if (type === undefined && INTERNAL.test(message))
    return writes
      ? { kind: 'unknown', reason: `${NAME} says: ${quotable(message)} It is not known whether the change was made.` }
      : refused('unavailable', `${NAME} says: ${quotable(message)}`, status, true)
  const code = RULES.test(message) ? 'blocked' : (TYPES[type ?? ''] ?? 'validation')
  return refusalOf(message, code, status)
}

/**
 * Returns GitHub as a host of a repository (`owner/name`), with a token that may read and write its contents.
 *
 * Queries are sent as POST, so that no cache answers them. A commit names the head that was read, and GitHub refuses it
 * if the branch has another: so a repeated commit is never made twice.
 */
export const github = (deps: CmsDeps, apiUrl: string, repository: string, token: string): GitHost => {
  const [owner = '', name = ''] = repository.split('/')
  const headers = { Authorization: `Bearer ${token}`, 'X-GitHub-Api-Version': '2022-11-28' }
  const isOwnError = (json: unknown) => Refusal.safeParse(json).success
  const ask = async <T>(
    query: string,
    variables: Record<string, unknown>,
    schema: z.ZodMiniType<T>,
    writes = false,
  ): Promise<Got<T>> => {
    const answer = await callCms(deps, {
      name: NAME,
      method: 'POST',
      url: `${apiUrl}/graphql`,
      headers,
      json: { query, variables },
      writes,
      isOwnError,
    })
    if (answer.kind !== 'answered') return answer
    const failure = failureIn(answer, writes)
    if (failure) return failure
    const data = Answered.safeParse(answer.json).data?.data
    return readAnswer(schema, { ...answer, json: data }, { name: NAME, writes })
  }
  const inRepository = <T>(query: string, variables: Record<string, unknown>, schema: z.ZodMiniType<T>) =>
    ask(query, { owner, name, ...variables }, schema)

  const load = async (branch: string | undefined): Promise<Got<Repository>> => {
    const given = { branch: `refs/heads/${branch ?? ''}`, named: branch !== undefined }
    const answer = await inRepository(REPOSITORY, given, RepositoryAnswer)
    if (answer.kind !== 'got') return answer
    const { nameWithOwner, url, homepageUrl, isArchived, defaultBranchRef, ref } = answer.value.repository
    const head = branch === undefined ? defaultBranchRef : ref
    if (!head?.target)
      return refused(
        'site_not_found',
        branch === undefined
          ? `The repository ${nameWithOwner} is empty. Commit the site first.`
          : `The repository ${nameWithOwner} has no branch “${quotable(branch)}”.`,
        404,
      )
    return got({
      name: nameWithOwner,
      url,
      homepage: homepageUrl ?? '',
      isArchived,
      branch: head.name,
      head: head.target.oid,
    })
  }

  const paths = async (commit: string): Promise<Got<Paths>> => {
    const answer = await callCms(deps, {
      name: NAME,
      method: 'GET',
      url: `${apiUrl}/repos/${owner}/${name}/git/trees/${commit}?recursive=1`,
      headers,
      writes: false,
      // A commit never changes.
      mayBeOld: true,
      isOwnError,
    })
    if (answer.kind !== 'answered') return answer
    const failure = failureIn(answer, false)
    if (failure) return failure
    const read = readAnswer(TreeAnswer, answer, { name: NAME, writes: false })
    if (read.kind !== 'got') return read
    const { tree, truncated } = read.value
    return got({ paths: tree.filter(({ type }) => type === 'blob').map(({ path }) => path), isCut: truncated })
  }

  const folder = async (commit: string, at: string): Promise<Got<string[]>> => {
    const answer = await inRepository(FOLDER, { at: `${commit}:${at}` }, FolderAnswer)
    if (answer.kind !== 'got') return answer
    const start = at === '' ? '' : `${at}/`
    return got(
      (answer.value.repository.object?.entries ?? []).flatMap(({ name: entry, type, object }) =>
        type === 'blob'
          ? [`${start}${entry}`]
          : (object?.entries ?? []).filter((one) => one.type === 'blob').map((one) => `${start}${entry}/${one.name}`),
      ),
    )
  }

  const files = async (commit: string, wanted: readonly string[]): Promise<Got<RepositoryFile[]>> => {
    if (wanted.length === 0) return got([])
    const places = Object.fromEntries(wanted.map((path, n) => [`at${n}`, `${commit}:${path}`]))
    const answer = await inRepository(filesQuery(wanted.length), places, FilesAnswer)
    if (answer.kind !== 'got') return answer
    return got(
      wanted.flatMap((path, n) => {
        const file = answer.value.repository[`f${n}`]
        if (!file?.oid || typeof file.text !== 'string' || file.isTruncated) return []
        return [{ path, id: file.oid, text: file.text }]
      }),
    )
  }

  const messages = async (oid: string, path: string): Promise<Got<string[]>> => {
    const answer = await inRepository(MESSAGES, { oid, path }, MessagesAnswer)
    if (answer.kind !== 'got') return answer
    return got((answer.value.repository.object?.history?.nodes ?? []).map(({ message }) => message))
  }

  const build = async (oid: string, path: string): Promise<Got<CmsBuild>> => {
    const answer = await inRepository(BUILD, { oid, path }, BuildAnswer)
    if (answer.kind === 'got') return got(buildIn(answer.value.repository.object?.history?.nodes[0]))
    // A token for contents alone may not read builds.
    return answer.kind === 'refused' && answer.code === 'auth_forbidden' ? got(buildIn(null)) : answer
  }

  const commit = async ({ path, text, ...given }: Commit): Promise<Got<'committed' | 'stale'>> => {
    const input = {
      branch: { repositoryNameWithOwner: repository, branchName: given.branch },
      expectedHeadOid: given.head,
      message: { headline: given.headline, body: given.body },
      fileChanges: {
        additions: text === null ? [] : [{ path, contents: base64(text) }],
        deletions: text === null ? [{ path }] : [],
      },
    }
    const answer = await ask(COMMIT, { input }, CommitAnswer, true)
    if (answer.kind === 'refused' && answer.code === 'conflict') return got('stale')
    return answer.kind === 'got' ? got('committed') : answer
  }

  const pulls = githubPulls(ask, owner, name)
  return { name: NAME, repository: load, paths, folder, files, messages, build, commit, pulls }
}
