import { Hono } from 'hono/tiny'
import { toMarkdown } from '../../src/content/html/markdown/gfm.ts'
import { CmsCallBody, type RunCmsCall } from '../../src/publishing/target/cms-adapter.ts'

/** Runs one call of a CMS adapter, or converts HTML to Markdown. For other Workers only: it has no public route. */
export const cmsApp = (run: RunCmsCall) =>
  new Hono()
    .post('/markdown', async (c) => c.text(toMarkdown(await c.req.text())))
    .post('/call', async (c) => {
      const given = CmsCallBody.safeParse(await c.req.json())
      if (!given.success) return c.json({ error: 'not a call' }, 400)
      const result = await run(given.data)
      return result ? c.json(result as never) : c.json({ error: 'no such call' }, 404)
    })
