import type { Hono } from 'hono'
import { readSent } from '../../../content/articles/content.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import type { SiteFront } from '../front.ts'
import { answerScript, hostPicture } from '../script-calls.ts'
import { keepTyped } from './draft.tsx'
import { load } from './load.ts'

/** Adds what the editor's script calls. */
export const editorCalls = (app: Hono<PagesEnv>, front: SiteFront): void => {
  /** Adds a call. `isFound`: it finds out by itself whether the site has the article. */
  const on = (path: string, run: (c: PagesContext) => Promise<object>, isFound = false) =>
    app.post(`/p/:site/articles/:article/${path}`, signedIn(front), (c) =>
      answerScript(c, front, async () => {
        if (!isFound) await load(c, front, '')
        return await run(c)
      }),
    )
  on('pictures', (c) => hostPicture(c, front))
  on('markdown', async (c) => {
    const { markdown = '' } = await formOf(c)
    const { safe } = await readSent(ctxOf(c, front), { content: markdown, content_format: 'markdown' })
    return { html: safe?.html ?? '' }
  })
  on('draft', (c) => keepTyped(c, front), true)
}
