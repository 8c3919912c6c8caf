import type { Hono } from 'hono'
import { addPrompt } from '../../../insights/visibility/prompts.ts'
import { startScan } from '../../../insights/visibility/scan/start.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { forPeople } from '../../words.ts'
import { act } from '../acts.ts'
import { type SiteFront, siteIn } from '../front.ts'
import { answers } from './answers.tsx'
import { page } from './report.tsx'

/** Adds the pages that say if AI engines name a site, and what they answered. */
export const visibilityPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/visibility'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.get(`${at}/answers`, signedIn(front), (c) => answers(c, front))
  app.post(`${at}/scan`, signedIn(front), async (c) => {
    const site = await siteIn(c)
    return await act(c, front, sitePath(site.id, 'visibility'), async () => {
      await startScan(ctxOf(c, front), { project_id: site.id })
      return 'The engines are being asked. Look again in a few minutes.'
    })
  })
  app.post(`${at}/ask`, signedIn(front), async (c) => {
    const [{ prompt = '' }, site] = await Promise.all([formOf(c), siteIn(c)])
    return await act(c, front, sitePath(site.id, 'visibility'), async () => {
      const text = prompt.trim()
      if (text.length < 3 || text.length > 500) return { tone: 'bad', text: 'The question needs 3 to 500 characters.' }
      const { status, message } = (await addPrompt(ctxOf(c, front), { project_id: site.id, prompt: text })) as {
        status: string
        message: string
      }
      return status === 'added'
        ? 'The question is asked with the next scan.'
        : forPeople(message) || 'It is asked already.'
    })
  })
}
