import { escapeAttribute } from '../../src/content/html/references.ts'
import type { Accounts } from './accounts.ts'

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
