import type { Hono } from 'hono'
import { BIN_DAYS } from '../../../content/articles/bin.ts'
import { readSent } from '../../../content/articles/content.ts'
import { canBeTakenDown, removeArticle } from '../../../content/articles/delete.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { editArticle, restoreArticle } from '../../../publishing/live/edit.ts'
import { syncArticle } from '../../../publishing/live/sync.ts'
import { unpublishArticle } from '../../../publishing/live/unpublish.ts'
import { publishArticle } from '../../../publishing/send/publish.ts'
import { callOffDeliveries } from '../../../publishing/writes.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { wordsOf } from '../../words.ts'
import { isPlanned } from '../calendar/rules.ts'
import { DeliveryRows } from '../deliveries.tsx'
import { act, numberIn, type SiteFront, siteIdIn } from '../front.ts'
import { Card } from '../parts.tsx'
import { readConditions } from '../queries.ts'
import { kindOf, kindWords } from '../states.tsx'
import { Sides, TextSides } from '../suggestions/compare.tsx'
import { editPage } from './edit.tsx'
import { editorCalls } from './editor-calls.ts'
import { calendarOf, checked, checkedDate, moved, published, rememberDraft, waiting } from './forms.ts'
import { frame, statedOf } from './frame.tsx'
import { load, pathOf, plannedOf, TABS } from './load.ts'
import { livePreview, preview } from './preview.tsx'
import { CheckTab, MustList, mustOf, VersionsTab, versionPage } from './tabs.tsx'
import { TextForm, TextTab, type Typed } from './text.tsx'

const NAMES = ['as it is saved', 'as you wrote it'] as const

/**
 * Shows both texts side by side if another person saved the article in between. The typed text is not lost, and the saved
 * one not overwritten.
 */
const conflictPage = async (c: PagesContext, front: SiteFront, typed: Typed) => {
  const [loaded, { safe }] = await Promise.all([
    load(c, front, ''),
    readSent(ctxOf(c, front), { content: typed.content }),
  ])
  const { article } = loaded
  return await frame(c, front, loaded, {
    tab: '',
    status: 412,
    notice: {
      tone: 'warn',
      text: 'Somebody saved the article while you wrote. Nothing of yours was saved yet, and nothing is lost: both texts are below.',
    },
    body: (
      <section class="card">
        <form class="row in" method="post" action={pathOf(c)}>
          <input type="hidden" name="version" value={etagOf(article.updatedAt, article.revision)} />
          <input type="hidden" name="draft" value={typed.draft} />
          <input type="hidden" name="title" value={typed.title} />
          <input type="hidden" name="meta_description" value={typed.meta_description} />
          <input type="hidden" name="content_json" value={JSON.stringify(typed.content)} />
          <button type="submit">Save yours instead</button>
          <a class="button plain" href={pathOf(c)}>
            Keep the saved text
          </a>
          <span class="hint">Either way the other text is not lost: what was saved is kept as a version.</span>
        </form>
        <Sides label="Title" names={NAMES} before={article.title} after={typed.title} />
        <Sides label="Description" names={NAMES} before={article.metaDescription} after={typed.meta_description} />
        <TextSides names={NAMES} before={article.content} after={safe?.html ?? ''} />
      </section>
    ),
  })
}

/** Shows the typed text again, with the reason that it was not saved. */
const refusedPage = async (c: PagesContext, front: SiteFront, typed: Typed, version: string, why: ApiError) => {
  const loaded = await load(c, front, '')
  return await frame(c, front, loaded, {
    tab: '',
    status: 400,
    notice: { tone: 'bad', text: wordsOf(why) },
    body: (
      <Card title="Your text" note="it is not saved yet">
        <TextForm c={c} article={loaded.article} typed={typed} tag={version} />
      </Card>
    ),
  })
}

/** Error of a text that was not saved. The page then shows the text again. */
class Unsaved extends Error {
  readonly why: ApiError
  constructor(why: ApiError) {
    super(why.message)
    this.name = 'Unsaved'
    this.why = why
  }
}

const page = async (c: PagesContext, front: SiteFront) => {
  const tab = TABS.map(([name]) => name).find((name) => name === c.req.query('tab')) ?? ''
  const [loaded, conditions, takesDown] = await Promise.all([
    load(c, front, tab),
    tab === '' ? readConditions(front.deps.db, c.get('person').accountId, siteIdIn(c)) : undefined,
    tab === '' && canBeTakenDown(front.deps.db, numberIn(c, 'article')),
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
    <TextTab c={c} article={article} becomes={becomes} takesDown={takesDown} />
  )
  return await frame(c, front, loaded, { tab, body })
}

/** Returns the text of a form: the editor's JSON, else the HTML with `\n` as line ends, which browsers send as `\r\n`. */
const sentText = (content: string, json: string): string => {
  if (json === '') return content.replaceAll('\r\n', '\n')
  try {
    const text: unknown = JSON.parse(json)
    if (typeof text === 'string') return text
  } catch {}
  throw new ApiError(
    'invalid_input',
    'Part of the text from the editor is missing. Nothing was saved. Go back and save again.',
  )
}

/** Adds the pages and forms of one article. */
export const articlePages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/articles/:article'
  const idOf = (c: PagesContext) => numberIn(c, 'article')
  /** Adds a form of the article. It loads the article first, which must belong to the site in the path. */
  const onIt = (
    path: string,
    run: (c: PagesContext, fields: Record<string, string>, article: ArticleDetail) => Promise<Response>,
  ) =>
    app.post(`${at}${path}`, signedIn(front), async (c) => {
      const [fields, { article }] = await Promise.all([formOf(c), load(c, front, '')])
      return await run(c, fields, article)
    })
  app.get(at, signedIn(front), (c) => page(c, front))
  app.get(`${at}/preview`, signedIn(front), (c) => preview(c, front))
  app.get(`${at}/edit`, signedIn(front), (c) => editPage(c, front))
  app.get(`${at}/versions/:revision`, signedIn(front), (c) => versionPage(c, front))
  onIt(
    '',
    async (c, { version = '', title = '', meta_description = '', content = '', content_json = '', draft = '' }) => {
      const text = { title: title.trim(), meta_description, content: sentText(content, content_json) }
      const typed = { ...text, draft }
      const ctx = { ...ctxOf(c, front), ifMatch: [version] }
      try {
        return await act(c, front, pathOf(c), async () => {
          try {
            const body = await editArticle(ctx, front.targets, idOf(c), checked({ ...text, sync: true }))
            rememberDraft(c, front, draft)
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
    },
  )
  onIt('/preview', (c, { title = '', content = '', content_json = '' }) =>
    livePreview(c, front, title, sentText(content, content_json)),
  )
  editorCalls(app, front)
  onIt('/publish', async (c, fields, article) => {
    const must = mustOf(article)
    const asking =
      must.length > 0 &&
      (await askToConfirm(c, front, fields, () => ({
        title: `Publish “${article.title || article.mainKeyword}” as it is?`,
        body: <MustList must={must} edit={pathOf(c, '/edit')} />,
        label: 'Publish it as it is',
        back: pathOf(c, '?tab=check'),
        isHarmless: true,
      })))
    if (asking) return asking
    return await act(c, front, pathOf(c), async () =>
      published((await publishArticle(ctxOf(c, front), front.targets, idOf(c))).body),
    )
  })
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
      body: <p>It is in the bin for {BIN_DAYS} days, and then gone for good. What a site shows of it stays there.</p>,
      label: 'Delete it',
      back: pathOf(c),
    }))
    if (asking) return asking
    return await act(c, front, sitePath(siteIdIn(c), 'articles'), async () => {
      await removeArticle(ctxOf(c, front), idOf(c), callOffDeliveries)
      return `The article is in the bin. For ${BIN_DAYS} days you can take it out again.`
    })
  })
}
