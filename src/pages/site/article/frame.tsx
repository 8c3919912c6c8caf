import type { Child } from 'hono/jsx'
import { HELP, PATHS } from '../../../accounts/people/paths.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { For } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import type { SiteFront } from '../front.ts'
import { isSentBack, StatePill, troubleText } from '../states.tsx'
import { isLive, type Loaded, pathOf, statedOf, TABS, type Tab } from './load.ts'

/** Renders the button for the next step: publish, send to the site again, or try again. */
const Primary = ({ c, article }: { c: PagesContext; article: ArticleDetail }) => {
  const { publishState, content } = article
  if (publishState === 'publishing' || publishState === 'awaiting_approval' || article.writingStartedAt !== null)
    return null
  const isProposed = publishState === 'awaiting_merge'
  const goesOnByItself = publishState === 'unknown' || publishState === 'retrying'
  const isSentBackNow = isSentBack(statedOf(article))
  const isTrouble = (publishState === 'failed' && !isSentBackNow) || goesOnByItself
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
      <button class={goesOnByItself || isSentBackNow || isProposed ? 'plain' : undefined} type="submit">
        {isProposed ? 'Send the saved text' : isTrouble ? 'Try again' : isSentBackNow ? 'Ask again' : 'Publish now'}
      </button>
    </form>
  )
}

/** Renders links to the cause of a failure: the text if writing failed, else the deliveries and the connection. */
const WayOn = ({ c, article, site }: { c: PagesContext; article: ArticleDetail; site: number }) =>
  article.generationError === null ? (
    <>
      <a href={pathOf(c, '?tab=deliveries')}>See what was sent and answered</a>
      <For right="manage">
        {' '}
        or <a href={`${PATHS.integrations}?project_id=${site}`}>look at the connection</a>
      </For>
      . <a href={HELP.trouble}>What the reasons mean</a>
    </>
  ) : (
    <>
      <a href={pathOf(c, '?tab=check')}>See what falls short</a>
      <For right="edit">
        {' '}
        or <a href={pathOf(c, '/edit')}>edit the text</a>
      </For>
      .
    </>
  )

const Trouble = ({ c, article, site }: { c: PagesContext; article: ArticleDetail; site: number }) => {
  const stated = statedOf(article)
  if (isSentBack(stated))
    return (
      <div class="notice warn">
        <p>
          <strong>Sent back.</strong> <span class="said">{stated.publish_error}</span>
        </p>
        <p>Nothing was sent. Once the text is changed, publish it again to ask for approval.</p>
        <For right="edit">
          <p>
            <a class="button" href={pathOf(c, '/edit')}>
              Change the text
            </a>
          </p>
        </For>
      </div>
    )
  if (stated.publish_state === 'failed')
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>It did not go out.</strong> {troubleText(stated)}
        </p>
        <p>
          Nothing is sent again by itself. Fix the cause, then try again. <WayOn c={c} article={article} site={site} />
        </p>
      </div>
    )
  if (stated.publish_state === 'awaiting_approval')
    return (
      <div class="notice warn">
        <p>
          <strong>It waits for a person.</strong> Nothing was sent. Read it as it would go out, then approve it or send
          it back.
        </p>
        <p>
          <a class="button plain" href={sitePath(site, 'approvals')}>
            To the approvals
          </a>
        </p>
      </div>
    )
  if (stated.publish_state === 'awaiting_merge') {
    const url = /https?:\/\/\S+/.exec(stated.publish_error ?? '')?.[0]
    return (
      <div class="notice">
        <p>
          <strong>It waits in a pull request.</strong> Merging it publishes the text. Closing it sends the article back
          with the comments. {url && <a href={url}>Open the pull request</a>}
        </p>
        {!isLive(article) && (
          <For right="edit">
            <form method="post" action={pathOf(c, '/unpublish')}>
              <input type="hidden" name="pull" value="close" />
              <button class="plain" type="submit">
                Close it
              </button>
            </form>
          </For>
        )}
      </div>
    )
  }
  if (stated.publish_state === 'unknown' || stated.publish_state === 'retrying')
    return (
      <div class="notice warn">
        <p>{troubleText(stated)}</p>
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

/** Shows a page of an article: its state, its next step, its tabs, and `body` below them. */
export const frame = (
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
        <For right="edit">
          <Primary c={c} article={article} />
        </For>
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
        <Trouble c={c} article={article} site={site.id} />
        <Progress article={article} />
        {shown.body}
      </>
    ),
  })
