import type { Hono } from 'hono'
import { removeArticle } from '../../../content/articles/delete.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { callOffDeliveries } from '../../../publishing/deliveries/writes.ts'
import { editArticle, restoreArticle } from '../../../publishing/live/edit.ts'
import { syncArticle } from '../../../publishing/live/sync.ts'
import { unpublishArticle } from '../../../publishing/live/unpublish.ts'
import { publishArticle } from '../../../publishing/send/publish.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { act } from '../acts.ts'
import { isPlanned } from '../calendar/dated.ts'
import { DeliveryRows } from '../deliveries.tsx'
import { numberIn, type SiteFront, siteIdIn } from '../front.ts'
import { readConditions } from '../queries.ts'
import { kindOf, kindWords } from '../states.tsx'
import { CheckTab } from './check.tsx'
import { conflictPage, refusedPage, Unsaved } from './conflict.tsx'
import { editPage } from './edit.tsx'
import { calendarOf, checked, checkedDate, moved, published, waiting } from './forms.ts'
import { frame, statedOf } from './frame.tsx'
import { load, pathOf, plannedOf, TABS } from './load.ts'
import { livePreview, preview } from './preview.tsx'
import { TextTab } from './text.tsx'
import { VersionsTab, versionPage } from './versions.tsx'

const page = async (c: PagesContext, front: SiteFront) => {
  const tab = TABS.map(([name]) => name).find((name) => name === c.req.query('tab')) ?? ''
  const [loaded, conditions] = await Promise.all([
    load(c, front, tab),
    tab === '' ? readConditions(front.deps.db, c.get('person').accountId, siteIdIn(c)) : undefined,
  ])
  const { site, article, versions, deliveries } = loaded
  const becomes =
    conditions && isPlanned(statedOf(article))
      ? kindWords(kindOf(c, plannedOf(article), conditions), conditions)
      : undefined
  const body = versions ? (
    <VersionsTab c={c} versions={versions} />
  ) : deliveries ? (
    <DeliveryRows site={site.id} deliveries={deliveries.rows} titles={new Map([[article.id, article.title]])} />
  ) : tab === 'check' ? (
    <CheckTab article={article} />
  ) : (
    <TextTab c={c} article={article} becomes={becomes} />
  )
  return await frame(c, front, loaded, { tab, body })
}

/** Returns the text of a form: the editor's JSON, or the HTML with the line ends that it had before browsers changed them. */
const sentText = (content: string, json: string): string => {
  if (json === '') return content.replaceAll('\r\n', '\n')
  try {
    const text: unknown = JSON.parse(json)
    if (typeof text === 'string') return text
  } catch {}
  throw new ApiError('invalid_input', 'Part of the text from the editor is missing. Nothing was saved. Go back and save again.')
}

/** Adds the page of one article, and what can be done with it. */
export const articlePages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/articles/:article'
  const idOf = (c: PagesContext) => numberIn(c, 'article')
  /** The article is the site's of the path, before anything is done with it. */
  const onIt = (path: string, run: (c: PagesContext, fields: Record<string, string>) => Promise<Response>) =>
    app.post(`${at}${path}`, signedIn(front), async (c) => {
      const [fields] = await Promise.all([formOf(c), load(c, front, '')])
      return await run(c, fields)
    })
  app.get(at, signedIn(front), (c) => page(c, front))
  app.get(`${at}/preview`, signedIn(front), (c) => preview(c, front))
  app.get(`${at}/edit`, signedIn(front), (c) => editPage(c, front))
  app.get(`${at}/versions/:revision`, signedIn(front), (c) => versionPage(c, front))
  onIt('', async (c, { version = '', title = '', meta_description = '', content = '', content_json = '' }) => {
    const typed = { title: title.trim(), meta_description, content: sentText(content, content_json) }
    const ctx = { ...ctxOf(c, front), ifMatch: [version] }
    try {
      return await act(c, front, pathOf(c), async () => {
        try {
          const body = await editArticle(ctx, front.targets, idOf(c), checked({ ...typed, sync: true }))
          return waiting(body) ?? 'Saved.'
        } catch (error) {
          throw error instanceof ApiError && error.code !== 'not_found' && error.code !== 'forbidden'
            ? new Unsaved(error)
            : error
        }
      })
    } catch (error) {
      if (!(error instanceof Unsaved)) throw error
      return error.why.code === 'changed_meanwhile'
        ? await conflictPage(c, front, typed)
        : await refusedPage(c, front, typed, version, error.why)
    }
  })
  onIt('/preview', (c, { title = '', content = '', content_json = '' }) =>
    livePreview(c, front, title, sentText(content, content_json)),
  )
  onIt('/publish', (c) =>
    act(c, front, pathOf(c), async () =>
      published((await publishArticle(ctxOf(c, front), front.targets, idOf(c))).body),
    ),
  )
  onIt('/sync', (c) =>
    act(
      c,
      front,
      pathOf(c),
      async () =>
        waiting(await syncArticle(ctxOf(c, front), front.targets, idOf(c), {})) ??
        'The saved text was sent to the site.',
    ),
  )
  onIt('/unpublish', async (c, fields) => {
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Unpublish the article?',
      body: <p>Its post becomes a draft at your site: readers and search engines no longer find it. The text stays.</p>,
      label: 'Unpublish',
      back: pathOf(c),
    }))
    if (asking) return asking
    return await act(c, front, pathOf(c), async () => {
      await unpublishArticle(ctxOf(c, front), front.targets, idOf(c))
      return 'The post is taken down. The article is a draft.'
    })
  })
  onIt('/restore', (c, { revision }) =>
    act(c, front, pathOf(c), async () => {
      const version = { id: idOf(c), revision: idIn(revision) }
      const body = await restoreArticle(ctxOf(c, front), front.targets, version, { sync: true })
      return waiting(body) ?? `Version ${idIn(revision)} is the text again.`
    }),
  )
  onIt('/date', (c, { version, at: when = '', to }) =>
    act(c, front, to === 'calendar' || to === 'all' ? calendarOf(c, when, to) : pathOf(c), async () => {
      const ctx = { ...ctxOf(c, front), ...(version ? { ifMatch: [version] } : {}) }
      await editArticle(ctx, front.targets, idOf(c), checkedDate(when))
      return await moved(c, front)
    }),
  )
  onIt('/undate', (c) =>
    act(c, front, pathOf(c), async () => {
      await editArticle(ctxOf(c, front), front.targets, idOf(c), { scheduled_date: null, status: 'Draft' })
      return 'The article has no date now. It is a draft.'
    }),
  )
  onIt('/delete', async (c, fields) => {
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Delete the article?',
      body: <p>Its text and all its versions are deleted here for good. What a site shows of it stays there.</p>,
      label: 'Delete it',
      back: pathOf(c),
    }))
    if (asking) return asking
    return await act(c, front, sitePath(siteIdIn(c), 'articles'), async () => {
      await removeArticle(ctxOf(c, front), idOf(c), callOffDeliveries)
      return 'The article is deleted.'
    })
  })
}
