import type { Hono } from 'hono'
import { approveSuggestion, regenerateSuggestion, rejectSuggestion } from '../../../insights/suggestions/decide.ts'
import { publishSuggestion } from '../../../insights/suggestions/publish.ts'
import { runSuggestions } from '../../../insights/suggestions/run.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { forPeople } from '../../words.ts'
import { act } from '../acts.ts'
import { waiting } from '../article/forms.ts'
import { type SiteFront, siteIn } from '../front.ts'
import { list } from './list.tsx'
import { load, type Suggestion } from './load.ts'
import { page } from './one.tsx'

const textIn = (text: string | undefined): string | undefined => {
  const said = (text ?? '').trim().slice(0, 2_000)
  return said === '' ? undefined : said
}

/** Adds the pages on which rewrites are compared with what is, and decided. */
export const suggestionsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/suggestions'
  app.get(at, signedIn(front), (c) => list(c, front))
  app.get(`${at}/:suggestion`, signedIn(front), (c) => page(c, front))
  app.post(`${at}/run`, signedIn(front), async (c) => {
    const site = await siteIn(c)
    return await act(c, front, sitePath(site.id, 'suggestions'), async () => {
      const { created, message } = (await runSuggestions(ctxOf(c, front), site.id)) as {
        created: number
        message: string
      }
      if (created > 0) return created === 1 ? '1 new suggestion.' : `${created} new suggestions.`
      return { tone: 'plain', text: forPeople(message) || 'Nothing new was found.' }
    })
  })
  const decide = (
    path: string,
    said: string,
    run: (c: PagesContext, id: number, fields: Record<string, string>) => Promise<object>,
    ask?: (
      c: PagesContext,
      fields: Record<string, string>,
      here: string,
      one: Suggestion,
    ) => Promise<Response | undefined>,
  ) =>
    app.post(`${at}/:suggestion/${path}`, signedIn(front), async (c) => {
      const [fields, { site, one }] = await Promise.all([formOf(c), load(c, front)])
      const here = sitePath(site.id, `suggestions/${one.id}`)
      const asking = await ask?.(c, fields, here, one)
      if (asking) return asking
      return await act(c, front, here, async () => waiting(await run(c, one.id, fields)) ?? said)
    })
  decide('approve', 'The service rewrites it now. Look at it here in a few minutes.', (c, id) =>
    approveSuggestion(ctxOf(c, front), id),
  )
  decide(
    'publish',
    'The rewrite is live.',
    async (c, id) => (await publishSuggestion(ctxOf(c, front), front.sendSync, id)).body,
  )
  decide('regenerate', 'The service writes it again.', (c, id, { feedback }) =>
    regenerateSuggestion(ctxOf(c, front), id, textIn(feedback)),
  )
  decide(
    'reject',
    'Rejected. The article stays as it is.',
    (c, id, { reason }) => rejectSuggestion(ctxOf(c, front), id, textIn(reason)),
    (c, fields, here, one) =>
      one.status === 'ready'
        ? askToConfirm(c, front, fields, () => ({
            title: 'Reject the rewrite?',
            body: <p>What was written is set aside, and the page is not suggested for the same reason for a while.</p>,
            label: 'Reject it',
            back: here,
          }))
        : Promise.resolve(undefined),
  )
}
