import * as z from 'zod/mini'
import { type Got, got } from '../http.ts'
import { type Proposal, type Pull, type PullHost, said } from './host.ts'

const PROPOSAL = `query Proposal($owner: String!, $name: String!, $branch: String!, $ref: String!, $base: String!) {
  repository(owner: $owner, name: $name) {
    id
    ref(qualifiedName: $ref) { id target { oid } }
    pullRequests(headRefName: $branch, baseRefName: $base, first: 20, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes {
        id url title state headRefOid isCrossRepository
        commits(last: 1) { nodes { commit { message } } }
        comments(last: 20) { nodes { author { login } body } }
        reviews(last: 20) {
          nodes { author { login } body comments(first: 20) { nodes { body } } }
        }
      }
    }
  }
}`

const MAKE_BRANCH = `mutation MakeBranch($input: CreateRefInput!) { createRef(input: $input) { ref { id } } }`
const MOVE_BRANCH = `mutation MoveBranch($input: UpdateRefInput!) { updateRef(input: $input) { ref { id } } }`
const DELETE_BRANCH = `mutation DeleteBranch($input: DeleteRefInput!) { deleteRef(input: $input) { clientMutationId } }`
const OPEN = `mutation Open($input: CreatePullRequestInput!) { createPullRequest(input: $input) { pullRequest { url } } }`
const RENAME = `mutation Rename($input: UpdatePullRequestInput!) { updatePullRequest(input: $input) { pullRequest { id } } }`
const CLOSE = `mutation Close($input: ClosePullRequestInput!) { closePullRequest(input: $input) { pullRequest { id } } }`
const COMMENT = `mutation Comment($input: AddCommentInput!) { addComment(input: $input) { clientMutationId } }`

const nodes = <T extends z.ZodMiniType>(one: T) => z.nullish(z.object({ nodes: z.nullish(z.array(z.nullable(one))) }))
const Words = z.object({ body: z.string() })
const Said = z.extend(Words, { author: z.nullish(z.object({ login: z.string() })) })
const PullNode = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  headRefOid: z.string(),
  isCrossRepository: z.boolean(),
  commits: nodes(z.object({ commit: z.object({ message: z.string() }) })),
  comments: nodes(Said),
  reviews: nodes(z.extend(Said, { comments: nodes(Words) })),
})
const Answer = z.object({
  repository: z.object({
    id: z.string(),
    ref: z.nullish(z.object({ id: z.string(), target: z.nullable(z.object({ oid: z.string() })) })),
    pullRequests: z.object({ nodes: z.array(z.nullable(PullNode)) }),
  }),
})
const Opened = z.object({ createPullRequest: z.object({ pullRequest: z.object({ url: z.string() }) }) })
const Done = z.object({})

const STATES = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const

const listOf = <T>(found: { nodes?: (T | null)[] | null | undefined } | null | undefined): T[] =>
  (found?.nodes ?? []).filter((one) => one !== null)

const saidIn = (found: z.infer<typeof Said>[]): string[] =>
  found.flatMap(({ author, body }) => said(author?.login ?? 'ghost', body))

const pullOf = (pull: z.infer<typeof PullNode>): Pull => ({
  id: pull.id,
  url: pull.url,
  title: pull.title,
  state: STATES[pull.state],
  head: pull.headRefOid,
  lastMessage: listOf(pull.commits)[0]?.commit.message ?? '',
  said: saidIn([
    ...listOf(pull.comments),
    ...listOf(pull.reviews).flatMap(({ comments, ...review }) => [
      review,
      ...listOf(comments).map((line) => ({ ...line, author: review.author })),
    ]),
  ]),
})

/** Sends a GraphQL document with its variables. */
type Ask = <T>(
  query: string,
  variables: Record<string, unknown>,
  schema: z.ZodMiniType<T>,
  writes?: boolean,
) => Promise<Got<T>>

const THERE_ALREADY = /already exists/i

/** Returns the pull requests of a repository at GitHub. */
export const githubPulls = (ask: Ask, owner: string, name: string): PullHost => {
  const write = <T>(query: string, input: Record<string, unknown>, schema: z.ZodMiniType<T>) =>
    ask(query, { input }, schema, true)

  const proposal: PullHost['proposal'] = async (branch, base) => {
    const answer = await ask(PROPOSAL, { owner, name, branch, ref: `refs/heads/${branch}`, base }, Answer)
    if (answer.kind !== 'got') return answer
    const { id, ref, pullRequests } = answer.value.repository
    // Anybody may open a pull request of a fork whose branch has the same name.
    const newest = listOf(pullRequests).find(({ isCrossRepository }) => !isCrossRepository)
    return got({
      branch,
      ids: { repository: id, ...(ref ? { branch: ref.id } : {}) },
      ...(ref?.target ? { head: ref.target.oid } : {}),
      ...(newest ? { pull: pullOf(newest) } : {}),
    })
  }

  const deleteBranch = async ({ ids }: Proposal): Promise<Got<unknown>> => {
    if (ids?.branch === undefined) return got(undefined)
    const deleted = await write(DELETE_BRANCH, { refId: ids.branch }, Done)
    // The host may delete the branch of a closed pull request by itself.
    return deleted.kind === 'refused' && /not (?:exist|resolve)/i.test(deleted.reason) ? got(undefined) : deleted
  }

  return {
    proposal,
    point: ({ branch, ids }, oid) =>
      ids?.branch === undefined
        ? write(MAKE_BRANCH, { repositoryId: ids?.repository, name: `refs/heads/${branch}`, oid }, Done)
        : write(MOVE_BRANCH, { refId: ids.branch, oid, force: true }, Done),
    open: async ({ branch, ids }, { base, title, body }) => {
      const input = { repositoryId: ids?.repository, baseRefName: base, headRefName: branch, title, body }
      const opened = await write(OPEN, input, Opened)
      if (opened.kind === 'refused' && THERE_ALREADY.test(opened.reason)) return got('exists')
      return opened.kind === 'got' ? got({ url: opened.value.createPullRequest.pullRequest.url }) : opened
    },
    rename: ({ id }, title) => write(RENAME, { pullRequestId: id, title }, Done),
    close: async (found, { id }, comment) => {
      const closed = await write(CLOSE, { pullRequestId: id }, Done)
      if (closed.kind !== 'got') return closed
      await write(COMMENT, { subjectId: id, body: comment }, Done)
      return await deleteBranch(found)
    },
    deleteBranch,
  }
}
