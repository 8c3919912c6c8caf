import { createOAuth, guardClientDocuments } from '../../src/accounts/oauth/server.ts'
import { MCP_PATH } from '../../src/mcp/protected-resource.ts'
import { type Service, sessionThrough } from '../../src/pages/session.ts'
import { twoEntrypoints } from '../../src/platform/http/worker.ts'
import { oauthApp } from './app.tsx'

const { open, internal } = twoEntrypoints<{ PAGES: Service }>({ name: 'oauth', seals: true }, (deps, { PAGES }) => {
  const { db, now, outbound, settings } = deps
  guardClientDocuments(outbound, now)
  const oauth = createOAuth(db, now, settings.publicUrl, `${settings.publicUrl}${MCP_PATH}`)
  return oauthApp({ deps, oauth, sessionOf: sessionThrough(PAGES) })
})

export { internal }
export default open
