import * as z from 'zod/mini'
import { withStop } from '../../../platform/lib/text.ts'
import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import { type CmsCall, type CmsDeps, callCms, type Got, got, quotable, readAnswer, refused } from '../http.ts'
import type { Commit } from './host.ts'

/** REST API of a repository at a host. */
type Api = {
  name: string
  /** Address of the repository in the API. */
  at: string
  headers: Record<string, string>
  /** What to do about a token without a right. */
  rights: string
}

const CODES: Record<number, CmsFailureCode> = {
  401: 'auth_invalid',
  403: 'auth_forbidden',
  404: 'site_not_found',
  409: 'conflict',
  423: 'blocked',
}

const Said = z.union([z.object({ message: z.unknown() }), z.object({ error: z.unknown() })])
const isOwnError = (json: unknown): boolean => Said.safeParse(json).success

/** Rules of a branch that refuse a commit, in the words of the hosts. */
const RULES = /protected|not allowed to push|permission to write to the target branch|cannot commit/i
const BLOCKED =
  ' The rules of the branch allow no direct commits. Connect with the mode pull_request, or allow them for the owner of the token.'

/** Returns calls of a REST API, which name the host in their failures. */
export const restApi = (deps: CmsDeps, { name, at, headers, rights }: Api) => {
  const hints: Partial<Record<CmsFailureCode, string>> = {
    auth_invalid: ' Make a new token and connect with it.',
    auth_forbidden: ` ${rights}`,
    site_not_found: ' Check the address and the name of the repository, and that the token may read it.',
    blocked: BLOCKED,
  }
  const refusalOf = (status: number, json: unknown): CmsFailure => {
    const { message, error } = (json ?? {}) as { message?: unknown; error?: unknown }
    const words = quotable(message ?? error ?? `HTTP ${status}`)
    const code = RULES.test(words) ? 'blocked' : (CODES[status] ?? 'validation')
    return refused(code, `${name} says: ${withStop(words)}${hints[code] ?? ''}`, status)
  }
  const send = async <T>(
    call: Pick<CmsCall, 'method' | 'json' | 'mayBeOld'> & { path: string },
    schema: z.ZodMiniType<T>,
  ): Promise<Got<T>> => {
    const { path, ...given } = call
    const writes = call.method !== 'GET'
    const answer = await callCms(deps, { ...given, name, url: `${at}${path}`, headers, writes, isOwnError })
    if (answer.kind !== 'answered') return answer
    return answer.status >= 300 ? refusalOf(answer.status, answer.json) : readAnswer(schema, answer, { name, writes })
  }
  return {
    /** Returns what an address has; undefined if there is nothing. `ofCommit`: a commit never changes, so a cache may answer. */
    read: async <T>(path: string, schema: z.ZodMiniType<T>, { ofCommit = false } = {}): Promise<Got<T | undefined>> => {
      const answer = await send({ method: 'GET', path, ...(ofCommit ? { mayBeOld: true } : {}) }, schema)
      return answer.kind === 'refused' && answer.httpStatus === 404 ? got(undefined) : answer
    },
    write: async <T>(method: 'POST' | 'PUT' | 'PATCH', path: string, json: unknown, schema: z.ZodMiniType<T>) =>
      await send({ method, path, json }, schema),
    /** Deletes what an address has, if anything. */
    remove: async (path: string): Promise<Got<unknown>> => {
      const answer = await send({ method: 'DELETE', path }, z.unknown())
      return answer.kind === 'refused' && answer.httpStatus === 404 ? got(undefined) : answer
    },
  }
}

const AT_ONCE = 6

/** Runs a read for each of a list, a few at once, and returns the values that are there. */
export const readEach = async <One, T>(
  list: readonly One[],
  read: (one: One) => Promise<Got<T | undefined>>,
): Promise<Got<T[]>> => {
  const values: T[] = []
  for (let at = 0; at < list.length; at += AT_ONCE)
    for (const one of await Promise.all(list.slice(at, at + AT_ONCE).map(read))) {
      if (one.kind !== 'got') return one
      if (one.value !== undefined) values.push(one.value)
    }
  return got(values)
}

/** Reads the pages of a list until the last one. `isCut`: there are more than `most`. */
export const readPages = async <T>(
  most: number,
  read: (page: number) => Promise<Got<{ values: readonly T[]; isLast: boolean }>>,
): Promise<Got<{ values: T[]; isCut: boolean }>> => {
  const values: T[] = []
  for (let page = 1; page <= most; page += 1) {
    const answer = await read(page)
    if (answer.kind !== 'got') return answer
    values.push(...answer.value.values)
    if (answer.value.isLast) return got({ values, isCut: false })
  }
  return got({ values, isCut: true })
}

/** Returns the paths of files in a folder, and one folder deeper. */
export const within = (paths: readonly string[], folder: string): string[] => {
  const start = folder === '' ? '' : `${folder}/`
  return paths.filter((path) => path.startsWith(start) && path.slice(start.length).split('/').length <= 2)
}

/** Returns a path with each part escaped. */
export const escapedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Returns the operation on a file: a host refuses to create one that exists, and to change one that is not there. */
export const operationOf = ({ text, was }: Commit): 'create' | 'update' | 'delete' =>
  text === null ? 'delete' : was ? 'update' : 'create'

/** Returns `stale` if a commit was refused because the file is not the one that was read. */
export const committedOr = (answer: Got<unknown>, isStale: (reason: string, status: number) => boolean) => {
  if (answer.kind === 'got') return got('committed' as const)
  const isMoved = answer.kind === 'refused' && isStale(answer.reason, answer.httpStatus ?? 0)
  return isMoved ? got('stale' as const) : answer
}

/** Returns the refusal of a repository without a commit, or without the branch. */
export const noBranch = (repository: string, branch: string | undefined): CmsFailure =>
  refused(
    'site_not_found',
    branch === undefined
      ? `The repository ${repository} is empty. Commit the site first.`
      : `The repository ${repository} has no branch “${quotable(branch)}”, or the token may not read it.`,
    404,
  )
