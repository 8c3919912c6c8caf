import type { CmsBuild } from '../../../publishing/target/cms-adapter.ts'
import type { Got } from '../http.ts'

/** Connected repository and the newest commit of its branch. */
export type Repository = {
  /** Owner and name, such as `jane/blog`. */
  name: string
  url: string
  /** Address of the site, if somebody entered one at the host. */
  homepage: string
  isArchived: boolean
  branch: string
  /** Id of the branch's newest commit. */
  head: string
}

/** Text file of a commit. `id` is the hash of its bytes, `changedIn` the last commit that changed it, if the host says so. */
export type RepositoryFile = { path: string; id: string; text: string; changedIn?: string }

/** Paths of all files of a commit. `isCut`: the host left some out. */
export type Paths = { paths: string[]; isCut: boolean }

/** Commit of one file. A text of null deletes it. */
export type Commit = {
  branch: string
  /** The commit that was read. */
  head: string
  headline: string
  body: string
  path: string
  text: string | null
  /** The file in the commit that was read; undefined if there was none. */
  was: RepositoryFile | undefined
}

/** Returns a comment as `jane: The words.`, in a list that is empty if it has none. */
export const said = (login: string, body: string): string[] => (body.trim() === '' ? [] : [`${login}: ${body.trim()}`])

/** Pull request from a branch of the repository itself. */
export type Pull = {
  id: string
  url: string
  title: string
  state: 'open' | 'merged' | 'closed'
  /** Newest commit of its branch when it was open. */
  head: string
  /** Message of its newest commit. */
  lastMessage: string
  /** Comments and reviews, such as `jane: Too long.` Some hosts return them only of a closed pull request. */
  said: readonly string[]
}

/**
 * Branch with changes for another one. `head` is absent if there is no such branch. `pull`: its newest pull request. `ids`: what the host
 * calls the repository and the branch.
 */
export type Proposal = { branch: string; head?: string; pull?: Pull; ids?: { repository: string; branch?: string } }

/** Pull requests of a repository. */
export type PullHost = {
  /** Returns a branch and its newest pull request to `base`. */
  proposal: (branch: string, base: string) => Promise<Got<Proposal>>
  /** Makes the branch at a commit, or moves it there. */
  point: (proposal: Proposal, commit: string) => Promise<Got<unknown>>
  /** Opens a pull request, or returns `exists` if the branch has an open one. */
  open: (
    proposal: Proposal,
    given: { base: string; title: string; body: string },
  ) => Promise<Got<{ url: string } | 'exists'>>
  rename: (pull: Pull, title: string) => Promise<Got<unknown>>
  /** Closes a pull request with a comment and deletes its branch. */
  close: (proposal: Proposal, pull: Pull, comment: string) => Promise<Got<unknown>>
  /** Deletes the branch, if there is one. */
  deleteBranch: (proposal: Proposal) => Promise<Got<unknown>>
}

/** Host of Git repositories. */
export type GitHost = {
  /** Name of the host in messages. */
  name: string
  /**
   * Returns the repository with the head of a branch; without a name, of the default branch. Without `whole`, name, address and
   * homepage may be empty.
   */
  repository: (branch: string | undefined, whole: boolean) => Promise<Got<Repository>>
  /** Returns the paths of all files of a commit. */
  paths: (commit: string) => Promise<Got<Paths>>
  /** Returns the paths of the files in a folder of a commit, and one folder deeper. */
  folder: (commit: string, folder: string) => Promise<Got<string[]>>
  /** Returns the text files at these paths; missing and binary ones are left out. */
  files: (commit: string, paths: readonly string[]) => Promise<Got<RepositoryFile[]>>
  /** Returns the messages of the newest commits that changed a file, the newest first. */
  messages: (commit: string, path: string) => Promise<Got<string[]>>
  /** Returns the build of the newest commit that changed a file. */
  build: (commit: string, path: string) => Promise<Got<CmsBuild>>
  /** Commits to a branch. Returns `stale` if its head, or at least the file, is not the one that was read. */
  commit: (commit: Commit) => Promise<Got<'committed' | 'stale'>>
  pulls: PullHost
}
