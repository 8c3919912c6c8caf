import type { Hono } from 'hono'
import { POST_STATUSES } from '../../../../schema/values/social.ts'
import type { ApprovalRow } from '../../../accounts/approvals/queries.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { accountsOf, type Reachable } from '../../../reach/social/accounts.ts'
import { deletePost, listPosts } from '../../../reach/social/posts.ts'
import { postSubject } from '../../../reach/social/present.ts'
import { NETWORKS } from '../../../reach/social/rules.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, idIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { Later, showWithLater } from '../../later.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Pill } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { mayDecide } from '../approvals/decider.ts'
import { Approvals } from '../approvals/several.tsx'
import { MOST } from '../bulk/rules.ts'
import { act, numberIn, siteIdIn, withQuery, withSite } from '../front.ts'
import { Card, MarkedRow } from '../parts.tsx'
import { readPostTitles } from '../queries.ts'
import { type ReachFront, waitingOf } from './front.ts'
import { loadSitePost, POST_STATES, PostState, postPage, sendPost, When } from './post.tsx'

type Row = Awaited<ReturnType<typeof listPosts>>['rows'][number]

/** Most characters of a post's text in the list. */
const EXCERPT = 140

/** Returns the beginning of a post in one line. For a post without text, names its picture or video. */
const excerptOf = ({ content, mediaFiles }: Pick<Row, 'content' | 'mediaFiles'>): string => {
  const line = content.replaceAll(/\s+/g, ' ').trim()
  if (line === '') return mediaFiles[0]?.type === 'video' ? 'A video without words' : 'A picture without words'
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).trimEnd()}…` : line
}

const Posts = (props: {
  site: number
  rows: readonly Row[]
  titles: ReadonlyMap<number, string>
  waiting: ReadonlyMap<string, ApprovalRow>
}) => (
  <div class="card">
    <ul class="rows">
      {props.rows.map((post) => {
        const title = post.articleId === null ? undefined : props.titles.get(post.articleId)
        const files = post.mediaFiles.length
        return (
          <MarkedRow
            mark={<PostState status={post.status} waits={props.waiting.has(postSubject(post.id))} />}
            href={sitePath(props.site, `social/${post.id}`)}
            name={excerptOf(post)}
            action="Open"
          >
            {NETWORKS[post.platform].name}
            {files > 0 && `, ${files === 1 ? '1 file' : `${files} files`}`}, <When post={post} />
            {title !== undefined && (
              <>
                , about <a href={sitePath(props.site, `articles/${post.articleId}`)}>{title}</a>
              </>
            )}
            {post.status === 'failed' && `. ${forPeople(post.error ?? '')}`}
          </MarkedRow>
        )
      })}
    </ul>
  </div>
)

const nameOf = ({ platform, username, name, id }: Reachable): string =>
  `${NETWORKS[platform].name}, ${username || name || id}`

/** Renders the accounts that posts go out from. An account that stopped working must be connected again. */
const Accounts = ({ site, accounts }: { site: number; accounts: readonly Reachable[] }) => {
  const settings = `${PATHS.social}?project_id=${site}`
  if (accounts.length === 0)
    return (
      <Empty>
        <p>
          No account of a network is connected. With one, each article that goes live brings a draft of a post about it,
          and agents can write posts.
        </p>
        <For right="manage">
          <a class="button" href={settings}>
            Connect an account
          </a>
        </For>
      </Empty>
    )
  return (
    <Card
      title="Accounts"
      note={
        <For right="manage">
          <a href={settings}>Connect or disconnect</a>
        </For>
      }
    >
      <ul class="rows two">
        {accounts.map((one) => (
          <li>
            <span dir="auto">{nameOf(one)}</span>
            {one.usable ? (
              <Pill tone="good" shape="●">
                Connected
              </Pill>
            ) : (
              <span class="row">
                <Pill tone="warn" shape="?">
                  Not connected
                </Pill>
                <For right="manage">
                  <a href={settings} aria-label={`Connect again: ${nameOf(one)}`}>
                    Connect again
                  </a>
                </For>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const accountsPart = async (ctx: Ctx, front: ReachFront, site: number) => (
  <Accounts site={site} accounts={await accountsOf(ctx, front.social, site)} />
)

const list = async (c: PagesContext, front: ReachFront) => {
  const [ctx, project] = [ctxOf(c, front), siteIdIn(c)]
  const status = POST_STATUSES.find((one) => one === c.req.query('status'))
  const before = idIn(c.req.query('before'))
  const input = {
    project_id: project,
    limit: 50,
    ...(status ? { status: [status] } : {}),
    ...(before === 0 ? {} : { before_id: before }),
  }
  const listing = { account: c.get('person').accountId, project, before, ...(status ? { status } : {}) }
  const [site, [{ rows, page }, titles, waiting, isDecider]] = await withSite(
    c,
    Promise.all([
      listPosts(ctx, input),
      readPostTitles(front.deps.db, listing),
      waitingOf(ctx, project, 'social_post'),
      mayDecide(c, front),
    ]),
  )
  const here = (fields: Record<string, string>) => withQuery(sitePath(project, 'social'), fields)
  const body = (
    <>
      <nav class="tabs find" aria-label="States of posts">
        {(['', ...POST_STATUSES] as const).map((one) => (
          <a href={here({ status: one })} aria-current={one === (status ?? '') ? 'page' : undefined}>
            {one === '' ? 'All' : POST_STATES[one][2]}
          </a>
        ))}
      </nav>
      {waiting.size > 0 && (
        <>
          <div class="notice warn">
            <p>
              {waiting.size === 1 ? '1 post waits for approval.' : `${waiting.size} posts wait for approval.`}{' '}
              <a href={sitePath(project, 'approvals')}>Go to the approvals</a>
            </p>
          </div>
          {isDecider && (
            <Approvals
              site={project}
              rows={[...waiting.values()].slice(0, MOST)}
              back="social"
              tick={{ isTicked: c.req.query('all') === 'yes' }}
            />
          )}
        </>
      )}
      {rows.length === 0 ? (
        <Empty>
          {status === undefined
            ? 'No post was made yet. The settings of posts say whether new articles get some.'
            : 'No post is in this state.'}
        </Empty>
      ) : (
        <Posts site={project} rows={rows} titles={titles} waiting={waiting} />
      )}
      {page.before_id !== null && (
        <p class="pages">
          <a href={here({ status: status ?? '', before: String(page.before_id) })}>Older posts</a>
        </p>
      )}
      <Later>Asking the networks whether the accounts still work…</Later>
    </>
  )
  return await showWithLater(
    c,
    front,
    {
      zone: site.zone,
      who: 'The networks',
      again: here({ status: status ?? '', before: before === 0 ? '' : String(before) }),
      part: accountsPart(ctx, front, project),
    },
    {
      title: 'Social',
      menu: true,
      page: 'social',
      site: project,
      actions: (
        <>
          <For right="edit">
            <a class="button" href={sitePath(project, 'social/new')}>
              New post
            </a>
          </For>
          <For right="manage">
            <a class="button plain" href={sitePath(project, 'settings/social')}>
              Settings of posts
            </a>
          </For>
        </>
      ),
      body,
    },
  )
}

/** Adds the pages of a site's posts on social networks: the list, and one post with its forms. */
export const socialPostsPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  const at = '/p/:site/social'
  app.get(at, signedIn(front), (c) => list(c, front))
  app.get(`${at}/:post`, signedIn(front), (c) => postPage(c, front))
  app.post(`${at}/:post`, signedIn(front), (c) => sendPost(c, front))
  app.post(`${at}/:post/delete`, signedIn(front), async (c) => {
    const [fields, { site, post }] = await Promise.all([formOf(c), loadSitePost(c, front)])
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Delete the post?',
      body: <p>It has not gone out, and will not. Its text is gone then.</p>,
      label: 'Delete it',
      back: sitePath(site.id, `social/${post.id}`),
    }))
    if (asking) return asking
    return await act(c, front, sitePath(site.id, 'social'), async () => {
      await deletePost(ctxOf(c, front), numberIn(c, 'post'))
      return 'The post is deleted. Nothing of it went out.'
    })
  })
}
