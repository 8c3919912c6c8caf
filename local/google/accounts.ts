import { createHash, randomBytes } from 'node:crypto'
import { escapeAttribute } from '../../src/content/html/references.ts'
import { keptIn } from '../kept.ts'

/** A property as Search Console lists it. */
export type Site = { siteUrl: string; permissionLevel: string }

type Saved = { accounts: Record<string, Site[]>; revoked: string[] }

/** Rights of an access or refresh token. */
export type Grant = { id: string; email: string; scope: string; until?: number }

type Code = Omit<Grant, 'id'> & { challenge: string; redirectUri: string }

/** Google accounts of the stand-in, with what each owns and has granted. */
export type Accounts = ReturnType<typeof openAccounts>

const ACCESS_MS = 3_599_000

const packed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const unpacked = (token: string, prefix: string): Grant | undefined => {
  if (!token.startsWith(prefix)) return undefined
  try {
    return JSON.parse(Buffer.from(token.slice(prefix.length), 'base64url').toString()) as Grant
  } catch {
    return undefined
  }
}

const REFRESH = '1//'
const ACCESS = 'ya29.'

/** Opens the accounts. With a folder, accounts and withdrawals survive a restart. Tokens contain their own grants. */
export const openAccounts = (first: Record<string, Site[]>, now: () => number, dir?: string) => {
  const { data: saved, save } = keptIn<Saved>(dir, 'google.json', { accounts: first, revoked: [] })
  const codes = new Map<string, Code>()
  const isGood = (grant: Grant | undefined): grant is Grant =>
    grant !== undefined && !saved.revoked.includes(grant.id) && !saved.revoked.includes(grant.email)
  const accessOf = (grant: Grant): string => ACCESS + packed({ ...grant, until: now() + ACCESS_MS })
  return {
    emails: () => Object.keys(saved.accounts),
    sitesOf: (email: string): Site[] => saved.accounts[email] ?? [],
    put: (email: string, sites: Site[]) => {
      saved.accounts[email] = sites
      saved.revoked = saved.revoked.filter((one) => one !== email)
      save()
    },
    /** Ends everything an account granted, as its owner can at Google. */
    withdrawAll: (email: string) => {
      saved.revoked.push(email)
      save()
    },
    isWithdrawn: (email: string): boolean => saved.revoked.includes(email),
    allow: (given: Code): string => {
      // Allowing access again ends an earlier withdrawal.
      saved.revoked = saved.revoked.filter((one) => one !== given.email)
      const code = `4/${randomBytes(16).toString('base64url')}`
      codes.set(code, given)
      return code
    },
    /**
     * Spends a code. Returns undefined if it is unknown, already spent, or does not match its request (RFC 7636, 4.6).
     */
    spend: (
      code: string,
      verifier: string,
      redirectUri: string,
    ): { grant: Grant; refresh: string; access: string } | undefined => {
      const given = codes.get(code)
      codes.delete(code)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      if (!given || given.challenge !== challenge || given.redirectUri !== redirectUri) return undefined
      const grant = { id: randomBytes(8).toString('hex'), email: given.email, scope: given.scope }
      return { grant, refresh: REFRESH + packed(grant), access: accessOf(grant) }
    },
    refresh: (token: string): { grant: Grant; access: string } | undefined => {
      const grant = unpacked(token, REFRESH)
      return isGood(grant) ? { grant, access: accessOf(grant) } : undefined
    },
    /** Withdraws by a token: every grant of its account ends, as at Google. */
    revoke: (token: string): boolean => {
      const grant = unpacked(token, REFRESH) ?? unpacked(token, ACCESS)
      if (!isGood(grant)) return false
      saved.revoked.push(grant.email)
      save()
      return true
    },
    accessGrant: (header: string | undefined): Grant | undefined => {
      const grant = unpacked((header ?? '').replace(/^Bearer /, ''), ACCESS)
      return isGood(grant) && (grant.until ?? 0) > now() ? grant : undefined
    },
  }
}

const field = ([name, value]: [string, string]): string =>
  `<input type="hidden" name="${escapeAttribute(name)}" value="${escapeAttribute(value)}">`

/** Returns the page on which a person chooses an account and allows or refuses. */
export const consentPage = (asked: URLSearchParams, accounts: Accounts): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in – stand-in for Google</title></head>
<body>
<h1>A stand-in for Google</h1>
<p>Nothing here reaches Google. Choose an account, and allow or refuse.</p>
<form method="post" action="/o/oauth2/v2/auth">
${[...asked].map(field).join('\n')}
${accounts
  .emails()
  .map(
    (email, n) =>
      `<p><label><input type="radio" name="email" value="${escapeAttribute(email)}"${n === 0 ? ' checked' : ''}> ${escapeAttribute(email)} (${escapeAttribute(
        accounts
          .sitesOf(email)
          .map(({ siteUrl }) => siteUrl)
          .join(', '),
      )})</label></p>`,
  )
  .join('\n')}
<p><label>A domain this account also owns: <input name="domain" placeholder="example.com"></label></p>
${asked.get('scope')?.includes('business') ? '<p><label><input type="checkbox" name="business" value="yes" checked> Manage business profiles</label></p>' : '<p><label><input type="checkbox" name="search" value="yes" checked> See Search Console data</label></p>'}
<button name="allow" value="yes">Allow</button> <button name="allow" value="no">Cancel</button>
</form></body></html>
`
