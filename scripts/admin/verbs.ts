import { rotateProviderKeys } from '../../src/accounts/provider-keys/keys.ts'
import {
  type AccountChanges,
  createAccount,
  createKey,
  listKeys,
  revokeKey,
  setAccount,
  showAccount,
} from '../../src/platform/accounts/admin.ts'
import { listDeadAndLate, retryJob, showJob } from '../../src/platform/jobs/admin.ts'
import { parseKeyRing } from '../../src/platform/lib/crypto.ts'
import { rotateSecrets } from '../../src/publishing/connect/rotate-secrets.ts'
import { reasonOf } from '../reason.ts'
import { type Given, type Run, UsageError } from './options.ts'
import { accountJson, accountText, issuedText, jobJson, jobsText, keyJson, keysText } from './present.ts'

const changesOf = (given: Given): AccountChanges => ({
  ...(given.plan === undefined ? {} : { plan: given.plan }),
  ...(given.projects === undefined ? {} : { projects: given.projects }),
  ...(given.credits === undefined ? {} : { credits: given.credits }),
  ...(given.suspended === undefined ? {} : { suspended: given.suspended }),
  ...(given['outreach-pro'] === undefined ? {} : { outreachPro: given['outreach-pro'] }),
  ...(given['outreach-beta'] === undefined ? {} : { outreachBeta: given['outreach-beta'] }),
})

/** Returns the account of a command. `needs` has checked that one is named. */
const accountOf = ({ account, email }: Given): string => account ?? email ?? ''

export const accountCreate: Run = async (sql, given) => {
  const account = await createAccount(sql, accountOf(given), changesOf(given))
  const issued = await createKey(sql, String(account.id), { name: 'First key', scopes: ['read', 'write'] }).catch(
    (error: unknown) => {
      throw new Error(
        `Account ${account.id} was created, but its first key was not: ${reasonOf(error)} Issue one: key create --account ${account.id}`,
      )
    },
  )
  return {
    json: {
      account: accountJson(account),
      key: keyJson(issued.row, issued.key),
      account_id: account.id,
      api_key: issued.key,
    },
    text: `${accountText(account)}\n\n${issuedText(issued.key, issued.row, new Date())}`,
  }
}

export const accountShow: Run = async (sql, given) => {
  const account = await showAccount(sql, accountOf(given))
  return { json: { account: accountJson(account) }, text: accountText(account) }
}

export const accountSet: Run = async (sql, given) => {
  const account = await setAccount(sql, accountOf(given), changesOf(given))
  return { json: { account: accountJson(account) }, text: accountText(account) }
}

export const keyCreate: Run = async (sql, given) => {
  const { key, row } = await createKey(sql, accountOf(given), {
    name: given.name ?? 'API key',
    scopes: given.scopes ?? ['read', 'write'],
    ...(given.expires ? { expiresAt: given.expires } : {}),
  })
  return {
    json: { key: keyJson(row, key), account_id: row.account_id, key_id: row.id, api_key: key },
    text: issuedText(key, row, new Date()),
  }
}

export const keyList: Run = async (sql, given) => {
  const rows = await listKeys(sql, accountOf(given))
  return {
    json: { keys: rows.map((row) => keyJson(row)) },
    text: rows.length === 0 ? 'The account has no keys.' : keysText(rows, new Date()),
  }
}

export const keyRevoke: Run = async (sql, given) => {
  const row = await revokeKey(sql, given.key ?? given.id ?? 0, given.account)
  return { json: { key: keyJson(row) }, text: keysText([row], new Date()) }
}

export const secretsRotate: Run = async (sql) => {
  const keys = process.env.SECRETS_KEYS
  if (!keys) throw new UsageError('Set SECRETS_KEYS to the keys the service runs with, the new one first.')
  const ring = parseKeyRing(keys)
  const { keyId, rotated, unreadable, answers } = await rotateSecrets(sql, ring)
  const providerKeys = await rotateProviderKeys(sql, ring)
  const rest =
    unreadable.length > 0 ? ` No key opens those of integrations ${unreadable.join(', ')}: connect them again.` : ''
  const lost =
    providerKeys.unreadable.length > 0
      ? ` No key opens ${providerKeys.unreadable.length} provider keys: they have to be saved again.`
      : ''
  return {
    json: { key_id: keyId, rotated, unreadable, answers, provider_keys: providerKeys },
    text: `${rotated} integrations, ${providerKeys.rotated} provider keys and ${answers.rotated} kept answers are sealed again with the key ${keyId}.${rest}${lost}`,
  }
}

const MAX_JOBS = 100

export const jobsList: Run = async (sql) => {
  const rows = await listDeadAndLate(sql, MAX_JOBS)
  return { json: { jobs: rows.map(jobJson) }, text: rows.length === 0 ? 'No job is dead or overdue.' : jobsText(rows) }
}

export const jobsShow: Run = async (sql, given) => {
  const row = await showJob(sql, given.job ?? 0)
  return { json: { job: jobJson(row) }, text: `${jobsText([row])}\n\n${JSON.stringify(row.payload, null, 2)}` }
}

export { databaseRestored } from './restored.ts'

export const jobsRetry: Run = async (sql, given) => {
  const row = await retryJob(sql, given.job ?? 0)
  return { json: { job: jobJson(row) }, text: `Job ${row.id} runs again with the next minute.` }
}
