import type { Hono } from 'hono'
import { BIN_DAYS } from '../../../../schema/values/retention.ts'
import { has } from '../../../accounts/people/roles.ts'
import { readSent } from '../../../content/articles/content.ts'
import { canBeTakenDown, removeArticle } from '../../../content/articles/delete.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { inspectArticle } from '../../../insights/search/indexing/inspect.ts'
import { articleSeen } from '../../../insights/traffic/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { sendMissingCopies } from '../../../publishing/copies/send.ts'
import { editArticle, restoreArticle } from '../../../publishing/live/edit.ts'
import { syncArticle } from '../../../publishing/live/sync.ts'
import { unpublishArticle, withdrawArticle } from '../../../publishing/live/unpublish.ts'
import { linksToAdd, publishArticle } from '../../../publishing/send/publish.ts'
import { showSignedReceipt } from '../../../publishing/signed/show.ts'
import { leaveTranslations } from '../../../publishing/translations/translations.ts'
import { callOffDeliveries } from '../../../publishing/writes.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import { backTo } from '../../notice.ts'
import { wordsOf } from '../../words.ts'
import { DeliveryRows } from '../deliveries.tsx'
import { act, mayAct, numberIn, type SiteFront, siteIdIn } from '../front.ts'
import { readConditions } from '../queries.ts'
import { Sides, TextSides } from '../suggestions/compare.tsx'
import { Copies } from './copies.tsx'
import { draftPages, dropSaved } from './draft.tsx'
import { editPage, refusedPage } from './edit.tsx'
import { editorCalls } from './editor-calls.ts'
import { calendarOf, checked, checkedDate, moved, published, rememberDraft, sentText, waiting } from './forms.ts'
import { frame } from './frame.tsx'
import { isLive, load, pathOf, TABS } from './load.ts'
import { livePreview, preview } from './preview.tsx'
import { changedSettings } from './settings.tsx'
import { CheckTab, MustList, mustOf, VersionsTab, versionPage } from './tabs.tsx'
import { TextTab, type Typed } from './text.tsx'
import { joinNamed } from './translations.tsx'
import { returnsText } from './unsaved.tsx'

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
          {Object.entries(typed.settings ?? {}).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
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

/** Returns nothing for an article that `load` does not find either. It then answers for both. */
const noneIfMissing = (error: unknown): undefined => {
  if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden')) return undefined
  throw error
}

const page = async (c: PagesContext, front: SiteFront) => {
  const tab = TABS.map(([name]) => name).find((name) => name === c.req.query('tab')) ?? ''
  const [loaded, links, conditions, takesDown, seen] = await Promise.all([
    load(c, front, tab),
    tab === '' && has(c.get('person').role, 'edit')
      ? linksToAdd(ctxOf(c, front), numberIn(c, 'article')).catch(noneIfMissing)
      : undefined,
    tab === '' ? readConditions(front.deps.db, c.get('person').accountId, siteIdIn(c), front.deps.now()) : undefined,
    tab === '' && canBeTakenDown(front.deps.db, numberIn(c, 'article')),
    tab === '' ? articleSeen(ctxOf(c, front), numberIn(c, 'article')).catch(noneIfMissing) : undefined,
  ])
  const { site, article, versions, deliveries } = loaded
  const body = versions ? (
    <VersionsTab c={c} versions={versions} />
  ) : deliveries ? (
    <>
      <DeliveryRows site={site.id} deliveries={deliveries.rows} titles={new Map([[article.id, article.title]])} />
      <Copies c={c} article={article} />
    </>
  ) : tab === 'check' ? (
    <CheckTab article={article} />
  ) : (
    <TextTab
      c={c}
      article={article}
      conditions={conditions}
      links={links ?? []}
      takesDown={takesDown}
      seen={isLive(article) ? seen : undefined}
      sites={await c.get('sites')}
    />
  )
  return await frame(c, front, loaded, { tab, body })
}

/** Errors for which a page without the article is shown, with the text that was sent. */
const ELSEWHERE = new Set<ApiError['code']>(['not_found', 'forbidden', 'unavailable'])

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
  app.get(`${at}/receipt.json`, signedIn(front), async (c) => {
    // The article must belong to the site in the path.
    const [receipt] = await Promise.all([showSignedReceipt(ctxOf(c, front), idOf(c), {}), load(c, front, '')])
    if (receipt.jws === null) return await backTo(c, front, pathOf(c), { tone: 'plain', text: receipt.message })
    c.header('Content-Disposition', `attachment; filename="receipt-${idOf(c)}.json"`)
    return c.json(receipt)
  })
  app.get(`${at}/edit`, signedIn(front), (c) => editPage(c, front))
  app.get(`${at}/versions/:revision`, signedIn(front), (c) => versionPage(c, front))
  app.post(at, returnsText(front), signedIn(front), async (c) => {
    const [fields] = await Promise.all([formOf(c), load(c, front, '')])
    const { version = '', title = '', meta_description = '', content = '', content_json = '', draft = '' } = fields
    const text = { title: title.trim(), meta_description, content: sentText(content, content_json) }
    const typed = { ...text, draft, settings: changedSettings(fields) }
    const ctx = { ...ctxOf(c, front), ifMatch: [version] }
    try {
      if (!(await mayAct(c, front))) throw new ApiError('rate_limited', '')
      const body = await editArticle(ctx, front.targets, idOf(c), checked({ ...text, ...typed.settings, sync: true }))
      rememberDraft(c, front, draft)
      await dropSaved(c, front, draft)
      return await backTo(c, front, pathOf(c), waiting(body) ?? { tone: 'good', text: 'Saved.' })
    } catch (error) {
      if (!(error instanceof ApiError) || ELSEWHERE.has(error.code)) throw error
      return error.code === 'changed_meanwhile'
        ? await conflictPage(c, front, typed)
        : await refusedPage(c, front, typed, version, wordsOf(error))
    }
  })
  onIt('/preview', (c, { title = '', content = '', content_json = '' }) =>
    livePreview(c, front, title, sentText(content, content_json)),
  )
  editorCalls(app, front)
  draftPages(app, front)
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
  onIt('/copies', (c) =>
    act(c, front, pathOf(c, '?tab=deliveries'), async () => {
      await sendMissingCopies(ctxOf(c, front), idOf(c))
      return 'What failed is sent again.'
    }),
  )
  onIt('/translation', (c, fields) => act(c, front, pathOf(c), () => joinNamed(c, front, fields)))
  onIt('/translation/leave', (c) =>
    act(c, front, pathOf(c), async () => {
      await leaveTranslations(ctxOf(c, front), idOf(c))
      return 'The article is in no group any more.'
    }),
  )
  onIt('/inspect', (c) =>
    act(c, front, pathOf(c), async () => (await inspectArticle(ctxOf(c, front), front.google, idOf(c))).message),
  )
  onIt('/unpublish', async (c, fields) => {
    if (fields.pull === 'close')
      return await act(c, front, pathOf(c), async () => {
        await withdrawArticle(ctxOf(c, front), front.targets, idOf(c))
        return 'The pull request is closed. The article is a draft.'
      })
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Unpublish the article?',
      body: <p>Its post becomes a draft at your site: readers and search engines no longer find it. The text stays.</p>,
      label: 'Unpublish',
      back: pathOf(c),
    }))
    if (asking) return asking
    return await act(c, front, pathOf(c), async () => {
      const body = await unpublishArticle(ctxOf(c, front), front.targets, idOf(c))
      return waiting(body) ?? 'The post is taken down. The article is a draft.'
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
