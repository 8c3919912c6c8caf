import { createAccount, createKey, revokeKey, setAccount, showAccount } from '../../../src/platform/accounts/admin.ts'
import type { SqlRunner } from '../../../src/platform/db/client.ts'
import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'

type Body = Record<string, unknown>

/** Account of the proof, with functions to call the service with its key. */
export type Caller = {
  accountId: number
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>
  /** Calls and expects one of these statuses. Otherwise throws a DeployFault with the answer. */
  expect: (statuses: readonly number[], method: string, path: string, body?: unknown) => Promise<Body>
  /** Revokes the key and suspends the account. */
  leave: () => Promise<void>
}

const EMAIL = 'deployment-proof@galley.invalid'
const KEY_LIVES_MS = 3_600_000

const openAccount = async (run: SqlRunner): Promise<number> => {
  const changes = { plan: 'pro', projects: 1, suspended: false } as const
  const known = await showAccount(run, EMAIL).catch(() => undefined)
  const row = known ? await setAccount(run, EMAIL, changes) : await createAccount(run, EMAIL, changes)
  return Number(row.id)
}

/** Opens the account that all proofs use, with a key for an hour. */
export const openCaller = async (run: SqlRunner, publicUrl: string): Promise<Caller> => {
  const accountId = await openAccount(run)
  const { key, row } = await createKey(run, EMAIL, {
    name: 'deployment proof',
    scopes: ['read', 'write'],
    expiresAt: new Date(Date.now() + KEY_LIVES_MS),
  })
  const call: Caller['call'] = async (method, path, body) => {
    const { status, json } = await callHttp('The service', `${publicUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status, body: (json ?? {}) as Body }
  }
  return {
    accountId,
    call,
    expect: async (statuses, method, path, body) => {
      const answer = await call(method, path, body)
      if (statuses.includes(answer.status)) return answer.body
      throw new DeployFault(
        `${method} ${path} answered ${answer.status}: ${String(answer.body.error ?? JSON.stringify(answer.body))}`,
        `The Workers are deployed, but this does not work. Look at the logs with request id ${String(answer.body.request_id ?? 'unknown')}, or roll back: npm run deploy -- rollback`,
      )
    },
    leave: async () => {
      await revokeKey(run, row.id)
      await setAccount(run, EMAIL, { suspended: true })
    },
  }
}
