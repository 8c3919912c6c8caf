import { OAUTH } from '../../src/accounts/oauth/paths.ts'
import { frontApp } from '../../src/pages/app.tsx'
import { applicationPages, consentPages, type OAuthFront } from '../../src/pages/oauth/consent.tsx'
import { protocolApp, tokenKeyApp } from './protocol.ts'

const ASKED_BY_PROGRAMS: ReadonlySet<string> = new Set([OAUTH.metadata, OAUTH.register, OAUTH.token])

const isProgram = (path: string): boolean => ASKED_BY_PROGRAMS.has(path) || path.startsWith(`${OAUTH.register}/`)

/**
 * Returns the OAuth server: its protocol, and the pages on which a person permits an application and sees permitted
 * ones.
 *
 * The MCP server gets from it the key for a token.
 */
export const oauthApp = (front: OAuthFront) => {
  const pages = frontApp(front)
  consentPages(pages, front)
  applicationPages(pages, front)
  const protocol = protocolApp(front)
  const fetch: typeof pages.fetch = (request, env, ctx) =>
    isProgram(new URL(request.url).pathname) ? protocol.fetch(request, env, ctx) : pages.fetch(request, env, ctx)
  return { open: { fetch, routes: [...pages.routes, ...protocol.routes] }, internal: tokenKeyApp(front) }
}
