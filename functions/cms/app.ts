import { Hono } from 'hono/tiny'
import { toMarkdown } from '../../src/html/markdown/gfm.ts'
import { hideSecrets } from '../../src/lib/hide-secrets.ts'
import type { CallWatch } from '../../src/providers/cms/http.ts'
import { printedNotes, thrownFailure } from '../../src/providers/cms/watch.ts'
import type { Cms, CmsResult } from '../../src/publishing/target/cms-adapter.ts'
import { CmsCallBody, type CmsMethod } from '../../src/publishing/target/cms-call.ts'
import type { Connection } from '../../src/publishing/target/publish-target.ts'
import { errorFields, type Log } from '../../src/runtime/log.ts'

type Adapters = (connection: Connection, watch: CallWatch) => Cms | undefined
type Call = (...args: never[]) => Promise<CmsResult<unknown>>

/** Runs one call of a CMS adapter, or writes HTML as Markdown. For other Workers only: it has no public address. */
export const cmsApp = (adapterOf: Adapters, log: Log) =>
  new Hono()
    .post('/markdown', async (c) => c.text(toMarkdown(await c.req.text())))
    .post('/call', async (c) => {
      const given = CmsCallBody.safeParse(await c.req.json())
      if (!given.success) return c.json({ error: 'not a call' }, 400)
      const { connection, method, args } = given.data
      const watch: CallWatch = { hasWritten: false, printed: new Set() }
      const hide = (text: string): string => hideSecrets(text, Object.values(connection.secrets))
      try {
        const call = adapterOf(connection, watch)?.[method satisfies CmsMethod] as Call | undefined
        if (!call) return c.json({ error: 'no such call' }, 404)
        const result = await call(...(args as never[]))
        return c.json(printedNotes(result, connection.platform, watch, hide) as never)
      } catch (error) {
        log('error', 'cms.threw', { platform: connection.platform, method, ...errorFields(error) })
        return c.json(thrownFailure(error, connection.platform, watch, hide))
      }
    })
