import type { GitRepository } from './git-repository.ts'

/** Words of a person in a pull request. */
type Said = { author: string; body: string }

/** Pull request of a stand-in. `isCross`: it comes from a fork, whose branch has the same name. */
export type PullRequest = {
  number: number
  title: string
  body: string
  base: string
  branch: string
  state: 'OPEN' | 'MERGED' | 'CLOSED'
  /** Newest commit of its branch when it ended. */
  endedAt: string | undefined
  comments: Said[]
  reviews: (Said & { lines: string[] })[]
  isCross: boolean
}

/** Refusal with GitHub's words, of a change that it does not make. */
export class Unprocessable extends Error {}

/** Makes the pull requests of a repository, with the rules of GitHub. */
export const makePulls = (repository: GitRepository) => {
  const all: PullRequest[] = []
  const headOf = (pull: PullRequest): string => pull.endedAt ?? repository.head(pull.branch) ?? ''
  const openOf = (branch: string) =>
    all.find((pull) => pull.branch === branch && pull.state === 'OPEN' && !pull.isCross)
  const end = (pull: PullRequest, state: 'MERGED' | 'CLOSED'): void => {
    pull.endedAt = headOf(pull)
    pull.state = state
  }
  const isAhead = (base: string, oid: string): boolean =>
    repository.git(['rev-list', '--count', `refs/heads/${base}..${oid}`]) !== '0'

  const open = (given: {
    base: string
    branch: string
    title: string
    body: string
    isCross?: boolean
  }): PullRequest => {
    const { base, branch, title, body, isCross = false } = given
    if (repository.head(base) === undefined) throw new Unprocessable('Base ref must be a branch')
    const head = repository.head(branch)
    if (!isCross && head === undefined) throw new Unprocessable("Head sha can't be blank, Head ref must be a branch")
    if (!isCross && openOf(branch)) throw new Unprocessable(`A pull request already exists for jane:${branch}.`)
    if (!isCross && !isAhead(base, head ?? '')) throw new Unprocessable(`No commits between ${base} and ${branch}`)
    const made: PullRequest = {
      number: all.length + 1,
      title,
      body,
      base,
      branch,
      state: 'OPEN',
      endedAt: isCross ? repository.head(base) : undefined,
      comments: [],
      reviews: [],
      isCross,
    }
    all.push(made)
    return made
  }

  /** Points a branch to a commit. Its pull request is closed if it has no commits any more. */
  const point = (branch: string, oid: string): void => {
    repository.git(['update-ref', `refs/heads/${branch}`, oid])
    const pull = openOf(branch)
    if (pull && !isAhead(pull.base, oid)) end(pull, 'CLOSED')
  }

  const deleteBranch = (branch: string): void => {
    const pull = openOf(branch)
    if (pull) end(pull, 'CLOSED')
    repository.git(['update-ref', '-d', `refs/heads/${branch}`])
  }

  const find = (number: number): PullRequest => {
    const found = all.find((pull) => pull.number === number)
    if (!found) throw new Error(`There is no pull request ${number}.`)
    return found
  }

  /** Merges a pull request as a person does. `squash`: as one commit with the title and the messages of its commits. */
  const merge = (number: number, how: 'merge' | 'squash' = 'merge'): void => {
    const pull = find(number)
    const [base = '', head] = [repository.head(pull.base), headOf(pull)]
    const tree = repository.git(['merge-tree', '--write-tree', base, head]).split('\n')[0] ?? ''
    const words = repository.git(['log', '--format=%B', `${base}..${head}`])
    const person = { GIT_AUTHOR_NAME: 'Jane Doe', GIT_AUTHOR_EMAIL: 'jane@git.example' }
    const env = { ...person, GIT_COMMITTER_NAME: 'GitHub', GIT_COMMITTER_EMAIL: 'noreply@github.com' }
    const parents = how === 'merge' ? ['-p', base, '-p', head] : ['-p', base]
    const message = how === 'merge' ? `Merge pull request #${number}` : `${pull.title} (#${number})\n\n${words}`
    const made = repository.git(['commit-tree', tree, ...parents], message, env)
    repository.git(['update-ref', `refs/heads/${pull.base}`, made, base])
    end(pull, 'MERGED')
  }

  /** Closes a pull request as a person does, with comments. */
  const close = (number: number, ...comments: Said[]): void => {
    const pull = find(number)
    pull.comments.push(...comments)
    if (pull.state === 'OPEN') end(pull, 'CLOSED')
  }

  return { all, headOf, find, open, point, deleteBranch, merge, close }
}

export type Pulls = ReturnType<typeof makePulls>
