import { Hono } from 'hono/tiny'
import { toMarkdown } from '../../src/html/markdown.ts'
import type { Cms } from '../../src/publishing/target/cms-adapter.ts'
import { CmsCallBody, type CmsMethod } from '../../src/publishing/target/cms-call.ts'
import type { Connection } from '../../src/publishing/target/publish-target.ts'

type Adapters = (connection: Connection) => Cms | undefined
type Call = (...args: never[]) => Promise<unknown>

/** Runs one call of a CMS adapter, or writes HTML as Markdown. For other Workers only: it has no public address. */
export const cmsApp = (adapterOf: Adapters) =>
  new Hono()
    .post('/markdown', async (c) => c.text(toMarkdown(await c.req.text())))
    .post('/call', async (c) => {
      const given = CmsCallBody.safeParse(await c.req.json())
      if (!given.success) return c.json({ error: 'not a call' }, 400)
      const { connection, method, args } = given.data
      const call = adapterOf(connection)?.[method satisfies CmsMethod] as Call | undefined
      if (!call) return c.json({ error: 'no such call' }, 404)
      return c.json((await call(...(args as never[]))) as never)
    })
