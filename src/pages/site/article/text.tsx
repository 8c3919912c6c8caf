import type { Child } from 'hono/jsx'
import { type ArticleDetail, articleRow } from '../../../content/articles/read.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import type { PagesContext } from '../../front.tsx'
import { ActionButton, Empty, Field, For, Moment, Pill } from '../../parts.tsx'
import { Card } from '../parts.tsx'
import { KindPill, type KindWords } from '../states.tsx'
import { isLive, pathOf } from './load.ts'

type Receipt = {
  checked_at: string
  http_status: number | null
  title_found: boolean
  canonical: string | null
  indexable: boolean
  images_ok: boolean
  images_checked?: { asked: number; of: number }
  next_check_at?: string | null
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

/** Returns the sentence about pictures that all load. It claims only what was asked for. */
const loadedWords = ({ images_checked: checked }: Receipt): string => {
  if (!checked) return 'Every picture is on the page.'
  const { asked, of } = checked
  if (of === 0) return 'The text has no pictures.'
  return asked === of ? 'Every picture loads.' : `Every picture is on the page. ${asked} of ${of} were tried, and load.`
}

/** Renders the results of the last check of the live page. */
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
          <Tick
            ok={receipt.images_ok}
            yes={loadedWords(receipt)}
            no="A picture is not on the page, or does not load."
          />
          <Tick ok={receipt.links_ok} yes="Every link is there." no="A link is missing on the page." />
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

/** Text of an article as it was submitted. */
export type Typed = {
  title: string
  meta_description: string
  content: string
  /** Id of the browser's draft of this text; empty without scripts. */
  draft: string
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
    <form
      class="stack in"
      id="write"
      method="post"
      action={pathOf(c)}
      data-editor={editor === undefined ? undefined : ''}
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
  becomes,
  takesDown,
}: {
  c: PagesContext
  article: ArticleDetail
  /** True if its site is connected and can take the post down. */
  takesDown: boolean
  /** Words for what happens on the date of a planned article. */
  becomes?: KindWords | undefined
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
      <ReceiptCard article={article} />
      {becomes && (
        <Card title="What its date brings" note={<KindPill words={becomes} />}>
          <p class="in">{becomes.sentence}</p>
        </Card>
      )}
      <For right="edit">
        <DateCard c={c} article={article} />
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

const DateCard = ({ c, article }: { c: PagesContext; article: ArticleDetail }) =>
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
