import type { Hono } from 'hono'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { SeoReport } from '../../schema/values/seo.ts'
import { removeArticle } from '../../src/articles/delete.ts'
import { type ArticleDetail, articleDetail } from '../../src/articles/present.ts'
import { getArticle } from '../../src/articles/read.ts'
import { getRevision, listRevisions } from '../../src/articles/revisions.ts'
import { ApiError } from '../../src/lib/errors.ts'
import { etagOf } from '../../src/lib/etag.ts'
import { askToConfirm } from '../../src/pages/confirm.tsx'
import { ctxOf, idIn } from '../../src/pages/ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../src/pages/front.tsx'
import { sitePath } from '../../src/pages/menu.ts'
import type { Notice } from '../../src/pages/notice.ts'
import { ActionButton, Empty, Field, Moment, Pill } from '../../src/pages/parts.tsx'
import type { Site } from '../../src/pages/shell-queries.ts'
import { forPeople } from '../../src/pages/words.ts'
import { momentText, placeOf } from '../../src/pages/zone.ts'
import { callOffDeliveries } from '../../src/publishing/deliveries/parts.ts'
import { editArticle, restoreArticle } from '../../src/publishing/live/edit.ts'
import { EditArticle, type EditArticleInput } from '../../src/publishing/live/schemas.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import { unpublishArticle } from '../../src/publishing/live/unpublish.ts'
import { listDeliveries } from '../../src/publishing/read/deliveries.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { differenceOf, differenceOfWordings } from '../../src/suggestions/difference.ts'
import { act } from './acts.ts'
import { DeliveryRows } from './deliveries.tsx'
import { numberIn, type SiteFront, siteIdIn, siteIn } from './front.ts'
import { Card } from './parts.tsx'
import { placesOf } from './places.ts'
import { readListed, readMeans } from './queries.ts'
import { kindOf, kindWords, StatePill, troubleText } from './states.tsx'

const TABS = [
  ['', 'Text'],
  ['check', 'Check'],
  ['versions', 'Versions'],
  ['deliveries', 'Deliveries'],
] as const
type Tab = (typeof TABS)[number][0]

const statedOf = (article: ArticleDetail) => ({
  status: article.status,
  publish_state: article.publishState,
  publish_error: article.publishError,
  being_written: article.status === 'Generating' || article.writingStartedAt !== null,
})

const isLive = ({ status }: ArticleDetail): boolean => status === 'Published'

const pathOf = (c: PagesContext, page = ''): string =>
  `${sitePath(siteIdIn(c), `articles/${numberIn(c, 'article')}`)}${page}`

/** The one thing to do next: publish, send the changes, or try again. */
const Primary = ({ c, article }: { c: PagesContext; article: ArticleDetail }) => {
  const { publishState, content } = article
  if (publishState === 'publishing' || article.writingStartedAt !== null) return null
  const isTrouble = publishState === 'failed' || publishState === 'unknown' || publishState === 'retrying'
  if (isLive(article) && !isTrouble)
    return (
      <form method="post" action={pathOf(c, '/sync')}>
        <button class="plain" type="submit">
          Send to the site again
        </button>
      </form>
    )
  if (content.trim() === '') return null
  return (
    <form method="post" action={pathOf(c, isLive(article) ? '/sync' : '/publish')}>
      <button type="submit">{isTrouble ? 'Try again' : 'Publish now'}</button>
    </form>
  )
}

const Trouble = ({ c, article }: { c: PagesContext; article: ArticleDetail }) => {
  const stated = statedOf(article)
  if (stated.publish_state === 'failed')
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>The site did not take the article.</strong> {forPeople(troubleText(stated))}
        </p>
        <p>
          Nothing is sent again by itself. Fix the cause, then try again;{' '}
          <a href={pathOf(c, '?tab=deliveries')}>what was sent and answered</a> may help.
        </p>
      </div>
    )
  if (stated.publish_state === 'unknown' || stated.publish_state === 'retrying')
    return (
      <div class="notice warn">
        <p>{forPeople(troubleText(stated))}</p>
        <p>
          You need not do anything. <a href={pathOf(c, '?tab=deliveries')}>See what was sent</a>.
        </p>
      </div>
    )
  if (article.generationError !== null && !isLive(article))
    return (
      <div class="notice warn">
        <p>
          <strong>What the writer made falls short.</strong> {forPeople(article.generationError)}
        </p>
      </div>
    )
  return null
}

const Progress = ({ article: { progress } }: { article: ArticleDetail }) =>
  progress === null ? null : (
    <p>
      <label class="row">
        {progress.label} <progress value={progress.percent} max="100" /> {progress.percent} %
      </label>
    </p>
  )

type Receipt = {
  checked_at: string
  http_status: number | null
  title_found: boolean
  canonical: string | null
  indexable: boolean
  images_ok: boolean
  links_ok: boolean
  error?: string
}

const Tick = ({ ok, yes, no }: { ok: boolean; yes: string; no: string }) => (
  <li>
    <Pill tone={ok ? 'good' : 'bad'} shape={ok ? '●' : '▲'}>
      {ok ? 'Yes' : 'No'}
    </Pill>
    <span>{ok ? yes : no}</span>
  </li>
)

/** What readers were found to see. */
const ReceiptCard = ({ article }: { article: ArticleDetail }) => {
  const receipt = article.receipt as Receipt | null
  if (!isLive(article)) return null
  return (
    <Card title="What readers see" note={receipt ? <Moment at={new Date(receipt.checked_at)} /> : undefined}>
      {receipt ? (
        <ul class="rows two ticks">
          <Tick
            ok={receipt.http_status === 200}
            yes="The page answers."
            no={receipt.error ?? `The page answered ${receipt.http_status ?? 'nothing'}.`}
          />
          <Tick ok={receipt.title_found} yes="The title is on the page." no="The title is not on the page." />
          <Tick
            ok={receipt.indexable}
            yes="Search engines may list it."
            no="The page asks search engines not to list it."
          />
          <Tick ok={receipt.images_ok} yes="Every picture loads." no="A picture does not load." />
          <Tick ok={receipt.links_ok} yes="Every link is there." no="A link is missing on the page." />
        </ul>
      ) : (
        <p class="in hint">The page is read within a minute of publication.</p>
      )}
      {article.url && (
        <p class="in">
          <a href={article.url} rel="noreferrer">
            {article.url}
          </a>
        </p>
      )}
    </Card>
  )
}

type Typed = { title: string; meta_description: string; content: string }

const TextForm = ({
  c,
  article,
  typed,
  tag,
}: {
  c: PagesContext
  article: ArticleDetail
  typed: Typed
  tag: string
}) => (
  <form class="stack in" method="post" action={pathOf(c)}>
    <input type="hidden" name="version" value={tag} />
    <Field name="title" label="Title" value={typed.title} required maxlength={500} />
    <Field
      name="meta_description"
      label="Description for search engines"
      value={typed.meta_description}
      maxlength={1_000}
    />
    <label>
      Text (HTML)
      <textarea name="content" rows={18} maxlength={500_000} dir="auto" spellcheck>
        {typed.content}
      </textarea>
    </label>
    <div class="row">
      <button class={isLive(article) ? undefined : 'plain'} type="submit">
        {isLive(article) ? 'Save and send to the site' : 'Save'}
      </button>
      <span class="hint">Before anything is saved the text is made safe; every save is kept as a version.</span>
    </div>
  </form>
)

const TextTab = ({ c, site, article }: { c: PagesContext; site: Site; article: ArticleDetail }) => (
  <div class="cards">
    <section class="card c7">
      <header>
        <h2>Preview</h2>
        <span class="meta">as readers get it, without the design of your site</span>
      </header>
      {article.content.trim() === '' ? (
        <Empty>There is no text yet.</Empty>
      ) : (
        <div class="in">
          <iframe class="paper" src={pathOf(c, '/preview')} title={`Preview of ${article.title}`} loading="lazy" />
        </div>
      )}
    </section>
    <div class="c5 stack">
      {article.seo && (
        <Card title="Check" note={<a href={pathOf(c, '?tab=check')}>{article.seo.failed.length} to look at</a>}>
          <p class="in">
            <b>{article.seo.score}</b> of 100
          </p>
        </Card>
      )}
      <ReceiptCard article={article} />
      <DateCard c={c} site={site} article={article} />
    </div>
    <Card title="Edit">
      <TextForm
        c={c}
        article={article}
        tag={etagOf(article.updatedAt, article.revision)}
        typed={{ title: article.title, meta_description: article.metaDescription, content: article.content }}
      />
    </Card>
    {!isLive(article) && (
      <Card title="Delete">
        <div class="in row">
          <ActionButton action={pathOf(c, '/delete')} label="Delete the article" name="" fields={{}} danger />
        </div>
      </Card>
    )}
    {isLive(article) && (
      <Card title="Take it down">
        <div class="in row">
          <span>The post becomes a draft at your site and here; its text stays.</span>
          <ActionButton action={pathOf(c, '/unpublish')} label="Unpublish" name="" fields={{}} danger />
        </div>
      </Card>
    )}
  </div>
)

const DateCard = ({ c, article }: { c: PagesContext; site: Site; article: ArticleDetail }) =>
  isLive(article) ? null : (
    <Card title="Date">
      <form class="stack in" method="post" action={pathOf(c, '/date')}>
        <input type="hidden" name="version" value={etagOf(article.updatedAt, article.revision)} />
        <label>
          Goes out on
          <input
            type="datetime-local"
            name="at"
            value={articleDetail(article).ScheduledDate?.slice(0, 16) ?? ''}
            required
          />
          <span class="hint">by the clock of {article.timezone}</span>
        </label>
        <div class="row">
          <button class="plain" type="submit">
            {article.scheduledAt === null ? 'Give it this date' : 'Move it'}
          </button>
        </div>
      </form>
      {article.scheduledAt !== null && (
        <div class="in">
          <ActionButton action={pathOf(c, '/undate')} label="Take the date away" name="" fields={{}} />
        </div>
      )}
    </Card>
  )

const SEVERITIES = {
  error: ['bad', '▲', 'Must'],
  warning: ['warn', '!', 'Should'],
  notice: ['plain', '○', 'Could'],
} as const

const Finding = ({ content, failure }: { content: string; failure: SeoReport['failed'][number] }) => {
  const [tone, shape, word] = SEVERITIES[failure.severity]
  return (
    <li>
      <Pill tone={tone} shape={shape}>
        {word}
      </Pill>
      <div>
        {failure.message}
        <p>{forPeople(failure.fix)}</p>
        {placesOf(content, failure).map(({ before, found, after }) => (
          <p dir="auto">
            {before}
            <mark>{found}</mark>
            {after}
          </p>
        ))}
      </div>
    </li>
  )
}

const CheckTab = ({ article: { seo, content } }: { article: ArticleDetail }) =>
  seo === null ? (
    <Empty>The text is checked when it is saved. There is none yet.</Empty>
  ) : (
    <Card
      title={`${seo.score} of 100`}
      note={`${seo.passed.length} of ${seo.passed.length + seo.failed.length} checks passed`}
    >
      {seo.failed.length === 0 ? (
        <p class="in">Nothing to correct.</p>
      ) : (
        <ul class="rows">
          {seo.failed.map((failure) => (
            <Finding content={content} failure={failure} />
          ))}
        </ul>
      )}
    </Card>
  )

type Versions = Awaited<ReturnType<typeof listRevisions>>

const VersionsTab = ({ c, versions }: { c: PagesContext; versions: Versions }) => (
  <Card title="Versions" note="newest first">
    <ul class="rows two">
      {versions.rows.map((version) => (
        <li>
          <div>
            <a class="name" href={pathOf(c, `/versions/${version.id}`)} dir="auto">
              {version.title}
            </a>
            <p>
              Version {version.id}, <Moment at={new Date(version.saved_at)} bare />,{' '}
              {version.content_length.toLocaleString('en-US')} characters
            </p>
          </div>
          {version.current ? (
            <Pill tone="good" shape="●">
              Now
            </Pill>
          ) : (
            <a class="button plain" href={pathOf(c, `/versions/${version.id}`)}>
              Compare
            </a>
          )}
        </li>
      ))}
    </ul>
    {versions.page.before_id !== null && (
      <p class="pages">
        <a href={pathOf(c, `?tab=versions&before=${versions.page.before_id}`)}>Older versions</a>
      </p>
    )}
  </Card>
)

type Deliveries = Awaited<ReturnType<typeof listDeliveries>>

type Loaded = { site: Site; article: ArticleDetail; versions?: Versions; deliveries?: Deliveries }

const load = async (c: PagesContext, front: SiteFront, tab: Tab): Promise<Loaded> => {
  const [ctx, id] = [ctxOf(c, front), numberIn(c, 'article')]
  const before = idIn(c.req.query('before'))
  const paging = before === 0 ? {} : { before_id: before }
  const [site, article, versions, deliveries] = await Promise.all([
    siteIn(c),
    getArticle(ctx, id),
    tab === 'versions' ? listRevisions(ctx, id, paging) : undefined,
    tab === 'deliveries' ? listDeliveries(ctx, { article_id: id, ...paging }) : undefined,
  ])
  if (article.projectId !== site.id) throw new ApiError('not_found', 'The article is of another site.')
  return { site, article, ...(versions ? { versions } : {}), ...(deliveries ? { deliveries } : {}) }
}

const frame = (
  c: PagesContext,
  front: SiteFront,
  { site, article }: Loaded,
  shown: { tab: Tab | undefined; body: Child; notice?: Notice; status?: 200 | 400 | 412 },
) =>
  show(c, front, {
    title: article.title || article.mainKeyword,
    menu: true,
    page: 'articles',
    site: site.id,
    frames: true,
    notice: shown.notice,
    status: shown.status ?? 200,
    actions: (
      <>
        <StatePill article={statedOf(article)} />
        <Primary c={c} article={article} />
      </>
    ),
    body: (
      <>
        <nav class="tabs find" aria-label="The article">
          {TABS.map(([name, label]) => (
            <a
              href={pathOf(c, name === '' ? '' : `?tab=${name}`)}
              aria-current={name === shown.tab ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        <Trouble c={c} article={article} />
        <Progress article={article} />
        {shown.body}
      </>
    ),
  })

const page = async (c: PagesContext, front: SiteFront) => {
  const tab = TABS.map(([name]) => name).find((name) => name === c.req.query('tab')) ?? ''
  const loaded = await load(c, front, tab)
  const { site, article, versions, deliveries } = loaded
  const body = versions ? (
    <VersionsTab c={c} versions={versions} />
  ) : deliveries ? (
    <DeliveryRows site={site.id} deliveries={deliveries.rows} titles={new Map([[article.id, article.title]])} />
  ) : tab === 'check' ? (
    <CheckTab article={article} />
  ) : (
    <TextTab c={c} site={site} article={article} />
  )
  return await frame(c, front, loaded, { tab, body })
}

const versionPage = async (c: PagesContext, front: SiteFront) => {
  const number = numberIn(c, 'revision')
  const [loaded, version] = await Promise.all([
    load(c, front, ''),
    getRevision(ctxOf(c, front), numberIn(c, 'article'), number),
  ])
  const { article } = loaded
  const now = { title: article.title, meta_description: article.metaDescription, content: article.content }
  const { html, stats } = differenceOfWordings(version, now)
  return await frame(c, front, loaded, {
    tab: 'versions',
    body: (
      <Card
        title={`Version ${number} against now`}
        note={
          version.current
            ? 'this is the text as it is now'
            : `${stats.added} words came, ${stats.removed} went since then`
        }
      >
        {!version.current && (
          <form class="in row" method="post" action={pathOf(c, '/restore')}>
            <input type="hidden" name="revision" value={String(number)} />
            <button class="plain" type="submit">
              {isLive(article) ? 'Restore it and send it to the site' : 'Restore this version'}
            </button>
            <span class="hint">The text as it is now stays as a version.</span>
          </form>
        )}
        <div class="in prose" dir="auto">
          {raw(html)}
        </div>
      </Card>
    ),
  })
}

/** Shows both texts when somebody else saved meanwhile: what was typed is not lost, and nothing was overwritten. */
const conflictPage = async (c: PagesContext, front: SiteFront, typed: Typed) => {
  const loaded = await load(c, front, '')
  const { article } = loaded
  const { html, stats } = differenceOf(article.content, typed.content)
  return await frame(c, front, loaded, {
    tab: '',
    status: 412,
    notice: {
      tone: 'warn',
      text: 'Somebody saved the article while you wrote. Nothing of yours was saved yet, and nothing is lost: both texts are below.',
    },
    body: (
      <div class="cards">
        <Card title="From the saved text to yours" note={`${stats.added} words more, ${stats.removed} fewer`}>
          <div class="in prose" dir="auto">
            {raw(html)}
          </div>
        </Card>
        <Card title="Your text" note="saving it now takes the place of the other one, which stays as a version">
          <TextForm c={c} article={article} typed={typed} tag={etagOf(article.updatedAt, article.revision)} />
        </Card>
        <p class="in">
          <a href={pathOf(c)}>Leave yours, keep the saved text</a>
        </p>
      </div>
    ),
  })
}

/** Returns what a form sent as the API takes it. Throws a refusal in people's words. */
const checked = (given: Record<string, unknown>): EditArticleInput => {
  const parsed = EditArticle.safeParse(given)
  if (parsed.success) return parsed.data
  const field = String(parsed.error.issues[0]?.path[0] ?? '')
  throw new ApiError('invalid_input', FAULTS[field] ?? 'Something in the form is not right. Nothing was saved.')
}

const FAULTS: Record<string, string> = {
  title: 'The title needs 1 to 500 characters. Nothing was saved.',
  meta_description: 'The description has more than 1,000 characters. Nothing was saved.',
  content: 'The text has more than 500,000 characters. Nothing was saved.',
  scheduled_date: 'That is no date and time. Nothing was moved.',
}

/** The month of the calendar that a date is in. */
const calendarOf = (c: PagesContext, when: string): string =>
  `${sitePath(siteIdIn(c), 'calendar')}${/^\d{4}-\d\d-\d\dT/.test(when) ? `?month=${when.slice(0, 7)}` : ''}`

/** Says when the article goes out now, and what becomes of it then. */
const moved = async (c: PagesContext, front: SiteFront): Promise<Notice> => {
  const { db, now } = front.deps
  const [account, project, id] = [c.get('person').accountId, siteIdIn(c), numberIn(c, 'article')]
  const [site, means, article] = await Promise.all([
    siteIn(c),
    readMeans(db, account, project),
    readListed(db, account, project, id),
  ])
  if (!means || !article?.scheduled_at) return { tone: 'good', text: 'The date is saved.' }
  const { sentence, tile } = kindWords(kindOf(c, article, means), means)
  const at = momentText(new Date(article.scheduled_at), { zone: site.zone, now: now() })
  return { tone: tile === 'stays' ? 'warn' : 'good', text: `Moved to ${at} (${placeOf(site.zone)}). ${sentence}` }
}

/** What a publication came to, for people. */
const published = (body: Record<string, unknown>): Notice => {
  const { status, error } = body
  if (status === 'published') return { tone: 'good', text: 'Published. The live page is read within a minute.' }
  if (status === 'sent_as_draft') return { tone: 'good', text: 'Sent to your site as a draft.' }
  if (status === 'failed') return { tone: 'bad', text: `Not published. ${forPeople(String(error ?? ''))}`.trim() }
  return {
    tone: 'warn',
    text: `Not yet published: ${forPeople(String(error ?? 'the site has not answered'))} The service goes on by itself.`,
  }
}

const PREVIEW_STYLE =
  'body{font:17px/28px Georgia,"Times New Roman",serif;max-width:42rem;margin:1.5rem auto;padding:0 1rem;color:#1a1a18;background:#fff;overflow-wrap:anywhere}img,iframe{max-width:100%;height:auto}h1,h2,h3{line-height:1.3;font-family:system-ui,sans-serif}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left}pre{overflow:auto}'

const hashOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** The article alone, where nothing runs: no script, no form, no origin. */
const preview = async (c: PagesContext, front: SiteFront) => {
  const { article } = await load(c, front, '')
  c.header(
    'Content-Security-Policy',
    `sandbox; default-src 'none'; img-src https: data: ${new URL(front.deps.settings.publicUrl).origin}; style-src 'sha256-${await hashOf(PREVIEW_STYLE)}'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
  )
  const title = article.title || article.mainKeyword
  return c.html(
    (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{title}</title>
          <style>{raw(PREVIEW_STYLE)}</style>
        </head>
        <body dir="auto">
          <main>
            {!/<h1[\s>]/i.test(article.content) && <h1>{title}</h1>}
            {raw(article.content)}
          </main>
        </body>
      </html>
    ) as unknown as string,
  )
}

/** The page of one article, and what can be done with it. */
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
  app.get(`${at}/versions/:revision`, signedIn(front), (c) => versionPage(c, front))
  onIt('', async (c, { version = '', title = '', meta_description = '', content = '' }) => {
    const typed = { title: title.trim(), meta_description, content }
    const ctx = { ...ctxOf(c, front), ifMatch: [version] }
    try {
      return await act(c, front, pathOf(c), async () => {
        await editArticle(ctx, front.targets, idOf(c), checked({ ...typed, sync: true })).catch((error: unknown) => {
          throw error instanceof ApiError && error.code === 'changed_meanwhile' ? new Conflict() : error
        })
        return 'Saved.'
      })
    } catch (error) {
      if (error instanceof Conflict) return await conflictPage(c, front, typed)
      throw error
    }
  })
  onIt('/publish', (c) =>
    act(c, front, pathOf(c), async () =>
      published((await publishArticle(ctxOf(c, front), front.targets, idOf(c))).body),
    ),
  )
  onIt('/sync', (c) =>
    act(c, front, pathOf(c), async () => {
      await syncArticle(ctxOf(c, front), front.targets, idOf(c), {})
      return 'The saved text was sent to the site.'
    }),
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
      await restoreArticle(ctxOf(c, front), front.targets, { id: idOf(c), revision: idIn(revision) }, { sync: true })
      return `Version ${idIn(revision)} is the text again.`
    }),
  )
  onIt('/date', (c, { version, at: when = '', to }) =>
    act(c, front, to === 'calendar' ? calendarOf(c, when) : pathOf(c), async () => {
      const ctx = { ...ctxOf(c, front), ...(version ? { ifMatch: [version] } : {}) }
      const given = checked({ scheduled_date: when, status: 'Planned' })
      await editArticle(ctx, front.targets, idOf(c), given)
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

/** Somebody else saved since the form was opened. */
class Conflict extends Error {}
