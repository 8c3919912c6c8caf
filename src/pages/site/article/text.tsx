import type { Child } from 'hono/jsx'
import { type ArticleDetail, articleRow } from '../../../content/articles/read.ts'
import type { AddedLink } from '../../../content/seo/publication.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import type { PagesContext } from '../../front.tsx'
import { ActionButton, Empty, Field, For, Moment, Pill } from '../../parts.tsx'
import type { Site } from '../../queries.ts'
import { isPlanned } from '../calendar/rules.ts'
import { DateCost, WritingCost } from '../cost.tsx'
import { Card } from '../parts.tsx'
import type { PlanConditions } from '../queries.ts'
import { KindPill, kindOf, kindWords } from '../states.tsx'
import { IndexedCard } from './indexed.tsx'
import { isLive, pathOf, plannedOf, statedOf } from './load.ts'
import { ArticleSettings, type SettingsText, settingsOf } from './settings.tsx'
import { type ArticleSeen, SeenCard } from './traffic.tsx'
import { TranslationsCard } from './translations.tsx'

type Receipt = {
  checked_at: string
  http_status: number | null
  title_found: boolean
  canonical: string | null
  indexable: boolean
  images_ok: boolean
  images_checked?: { asked: number; of: number }
  next_check_at?: string | null
  build?: { state: 'none' | 'waiting' | 'built' | 'failed'; url: string | null }
  links_ok: boolean
  structured_data?: string[]
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

/** Returns the sentence about pictures that all load. It claims only what was asked for. */
const loadedWords = ({ images_checked: checked }: Receipt): string => {
  if (!checked) return 'Every picture is on the page.'
  const { asked, of } = checked
  if (of === 0) return 'The text has no pictures.'
  return asked === of ? 'Every picture loads.' : `Every picture is on the page. ${asked} of ${of} were tried, and load.`
}

const BUILD_WORDS = {
  none: 'No build of the site was seen at the repository.',
  waiting: 'The site is being built.',
  built: 'The site was built. If the page stays as it is, check the address of posts in the connection.',
  failed: 'The build of the site failed, so readers see the site as it was before.',
} as const

/** Renders what the page says of itself to search engines. Nothing is wrong with a page that says nothing. */
const StructuredData = ({ types }: { types: readonly string[] }) => (
  <li>
    <Pill>{types.length === 0 ? 'None' : types.length}</Pill>
    <span>
      {types.length === 0 ? 'The page has no structured data.' : `Structured data on the page: ${types.join(', ')}.`}
    </span>
  </li>
)

/** Renders the results of the last check of the live page. */
const ReceiptCard = ({ c, article }: { c: PagesContext; article: ArticleDetail }) => {
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
          <Tick
            ok={receipt.images_ok}
            yes={loadedWords(receipt)}
            no="A picture is not on the page, or does not load."
          />
          <Tick ok={receipt.links_ok} yes="Every link is there." no="A link is missing on the page." />
          {receipt.structured_data && <StructuredData types={receipt.structured_data} />}
        </ul>
      ) : (
        <p class="in hint">The page is read within a minute of publication.</p>
      )}
      {receipt?.next_check_at && (
        <p class="in hint">
          The page does not show the article as it was sent last. It is read again:{' '}
          <Moment at={new Date(receipt.next_check_at)} />.
        </p>
      )}
      {receipt?.build && (
        <p class="in hint">
          {BUILD_WORDS[receipt.build.state]} {receipt.build.url && <a href={receipt.build.url}>See the build</a>}
        </p>
      )}
      {article.url && (
        <p class="in">
          <a href={article.url} rel="noreferrer">
            {article.url}
          </a>
        </p>
      )}
      {receipt && !receipt.next_check_at && (
        <p class="in">
          <a href={pathOf(c, '/receipt.json')}>Download the signed receipt</a>
          <span class="hint"> Anybody can check it without an account.</span>
        </p>
      )}
    </Card>
  )
}

/** Text of an article as it was submitted. */
export type Typed = {
  title: string
  meta_description: string
  content: string
  /** Id of the browser's draft of this text; empty without scripts. */
  draft: string
  /** Settings that were typed, without those that are as saved. */
  settings?: SettingsText
}

/** Renders the form that edits an article's text. `tag`: the version that the person edits. */
export const TextForm = ({
  c,
  article,
  typed,
  tag,
  editor,
}: {
  c: PagesContext
  article: ArticleDetail
  typed: Typed
  tag: string
  /** Editor. Its script replaces the HTML field when it runs. */
  editor?: Child
}) => (
  <>
    <div class="beside">
      <section class="card">
        <form
          class="stack in"
          id="write"
          method="post"
          action={pathOf(c)}
          data-editor={editor === undefined ? undefined : ''}
          data-person={editor === undefined ? undefined : c.get('person').id}
        >
          <input type="hidden" name="version" value={tag} />
          <input type="hidden" name="draft" value={typed.draft} />
          {editor !== undefined && <input type="hidden" name="content_json" value="" />}
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
        </form>
        {editor}
        {isLive(article) && <p class="in hint">The article is on your site: what you save is sent there.</p>}
      </section>
      <ArticleSettings
        article={article}
        text={{ ...settingsOf(article), ...typed.settings }}
        before={settingsOf(article)}
      />
    </div>
    <div class="row save">
      <button class={isLive(article) ? undefined : 'plain'} type="submit" form="write">
        {isLive(article) ? 'Save and send to the site' : 'Save'}
      </button>
      <span class="hint">Before anything is saved the text is made safe; every save is kept as a version.</span>
    </div>
  </>
)

/** Renders an article's preview, check, receipt and date, and the button that takes it down or deletes it. */
export const TextTab = ({
  c,
  article,
  conditions,
  links,
  takesDown,
  seen,
  sites,
}: {
  c: PagesContext
  article: ArticleDetail
  conditions: PlanConditions | undefined
  /** Links to own pages that publishing adds. */
  links: readonly AddedLink[]
  /** True if its site is connected and can take the post down. */
  takesDown: boolean
  /** Undefined if the article is not live. */
  seen: ArticleSeen | undefined
  /** Sites that the person may see. */
  sites: readonly Pick<Site, 'id'>[]
}) => (
  <div class="cards">
    <section class="card c7">
      <header>
        <h2>Preview</h2>
        <span class="meta">
          as readers get it, without the design of your site
          <For right="edit">
            {' · '}
            <a href={pathOf(c, '/edit')}>Edit</a>
          </For>
        </span>
      </header>
      {article.content.trim() === '' ? (
        <Empty>
          There is no text yet.{' '}
          <For right="edit">
            <a href={pathOf(c, '/edit')}>Write it</a>
          </For>
        </Empty>
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
      {links.length > 0 && (
        <Card title="Publishing adds links" note={`${links.length} to your own pages`}>
          <ul class="rows two">
            {links.map(({ text, url }) => (
              <li>
                <span dir="auto">“{text}”</span>
                <a href={url} rel="noreferrer">
                  {url}
                </a>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <ReceiptCard c={c} article={article} />
      <IndexedCard c={c} article={article} />
      {seen && <SeenCard seen={seen} />}
      <TranslationsCard c={c} article={article} sites={sites} />
      {conditions && isPlanned(statedOf(article)) && <BecomesCard c={c} article={article} conditions={conditions} />}
      <For right="edit">
        <DateCard c={c} article={article} conditions={conditions} />
      </For>
    </div>
    {isLive(article) ? (
      <For right="edit">
        <Card title="Take it down">
          <div class="in row">
            {takesDown ? (
              <>
                <span>The post becomes a draft at your site and here; its text stays.</span>
                <ActionButton action={pathOf(c, '/unpublish')} label="Unpublish" name="" fields={{}} danger />
              </>
            ) : (
              <span>
                The service cannot take this post down: it went to a receiver of your own, or to a site that is no
                longer connected. Remove it at the site itself.
              </span>
            )}
          </div>
        </Card>
      </For>
    ) : (
      <For right="manage">
        <Card title="Delete">
          <div class="in row">
            <ActionButton action={pathOf(c, '/delete')} label="Delete the article" name="" fields={{}} danger />
          </div>
        </Card>
      </For>
    )}
  </div>
)

type DateProps = { c: PagesContext; article: ArticleDetail; conditions: PlanConditions }

/** Renders what happens on the date of a planned article, and what that costs. */
const BecomesCard = ({ c, article, conditions }: DateProps) => {
  const planned = plannedOf(article)
  const becomes = kindWords(kindOf(c, planned, conditions), conditions)
  return (
    <Card title="What its date brings" note={<KindPill words={becomes} />}>
      <p class="in">{becomes.sentence}</p>
      {becomes.tile === 'service' && <WritingCost c={c} article={planned} conditions={conditions} />}
    </Card>
  )
}

type DateCardProps = { c: PagesContext; article: ArticleDetail; conditions: PlanConditions | undefined }

const DateCard = ({ c, article, conditions }: DateCardProps) =>
  isLive(article) ? null : (
    <Card title="Date">
      <form class="stack in" method="post" action={pathOf(c, '/date')}>
        <input type="hidden" name="version" value={etagOf(article.updatedAt, article.revision)} />
        <label>
          Goes out on
          <input
            type="datetime-local"
            name="at"
            value={articleRow(article).ScheduledDate?.slice(0, 16) ?? ''}
            required
          />
          <span class="hint">by the clock of {article.timezone}</span>
        </label>
        <DateCost c={c} conditions={conditions} article={plannedOf(article)} />
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
