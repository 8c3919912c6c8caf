import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { clicksOfKeys } from '../../insights/search/parts.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { clip } from '../../platform/lib/text.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import { adoptPost } from '../../publishing/adopt/adopt.ts'
import { adoptMany, showAdoption } from '../../publishing/adopt/many.ts'
import { listSitePosts } from '../../publishing/adopt/site-posts.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, searchIn } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../front.tsx'
import { Later, showWithLater } from '../later.tsx'
import { hostOf, sitePath } from '../menu.ts'
import { ActionButton, Empty, For, Moment } from '../parts.tsx'
import { forPeople } from '../words.ts'
import { act, type SiteFront, siteIdIn, siteIn, withQuery } from './front.ts'
import { type Mark, MarkPill } from './parts.tsx'

type Listed = Awaited<ReturnType<typeof listSitePosts>>
type Post = Listed['posts'][number]

const OURS: Record<'own' | 'adopted' | 'none', Mark> = {
  own: ['good', '●', 'Published from here'],
  adopted: ['good', '◆', 'Looked after'],
  none: ['plain', '□', 'Only at the site'],
}

const [MAX_CURSOR, MAX_CHOSEN] = [2_000, 200]

/** Returns the key of a post's address, under which search data has it; undefined without an address. */
const keyOf = ({ url }: Post): string | undefined => {
  const address = url === null ? null : URL.parse(url)
  return address ? pageKey(address) : undefined
}

/** Returns the clicks of posts in the last complete period of 28 days, by their keys. */
const readClicks = async (c: PagesContext, front: SiteFront, posts: readonly Post[]) => {
  const keys = posts.flatMap((post) => keyOf(post) ?? [])
  if (keys.length === 0) return new Map<string, number>()
  const { rows } = await ctxOf(c, front).read(() => clicksOfKeys(front.deps.db, siteIdIn(c), keys))
  return new Map(rows.map(({ page_key: key, clicks }) => [key, clicks]))
}

/** True if a post can be adopted from the list: a published one of the CMS that no article stands for. */
const isFree = ({ article_id: article, status }: Post): boolean => article === null && status === 'published'

const Row = ({ site, post, n, clicks }: { site: number; post: Post; n: number; clicks: number | undefined }) => {
  const name = post.title || (post.url ?? 'without a title')
  return (
    <tr>
      <td>
        <div class="pick">
          {isFree(post) && post.post_id !== null && (
            <For right="edit">
              <label>
                <input type="checkbox" name={`post${n}`} value={post.post_id} />
                <span class="unseen">Choose {name}</span>
              </label>
            </For>
          )}
          <span>
            {post.article_id === null ? (
              <span dir="auto">{name}</span>
            ) : (
              <a href={sitePath(site, `articles/${post.article_id}`)} dir="auto">
                {name}
              </a>
            )}
            {post.url !== null && (
              <span class="day">
                <a href={post.url} rel="noreferrer">
                  {clip(hostOf(post.url), 80)}
                </a>
              </span>
            )}
          </span>
        </div>
      </td>
      <td data-label="Here">
        <MarkPill mark={OURS[post.origin ?? 'none']} />
      </td>
      <td data-label="At the site">{post.site_status}</td>
      <td data-label="Published">
        {post.published_at === null ? '–' : <Moment at={new Date(post.published_at)} bare />}
      </td>
      <td data-label="Clicks, 28 days">{clicks === undefined ? '–' : clicks.toLocaleString('en-US')}</td>
      {post.post_id === null && isFree(post) && post.url !== null && (
        <td data-label="">
          <For right="edit">
            <ActionButton
              action={`${sitePath(site, 'posts')}/adopt`}
              label="Look after it"
              name={name}
              fields={{ url: post.url }}
            />
          </For>
        </td>
      )}
    </tr>
  )
}

type ListProps = { site: number; listed: Listed; clicks: Map<string, number>; q: string }

const List = ({ site, listed, clicks, q }: ListProps) => {
  const here = sitePath(site, 'posts')
  const table = (
    <table>
      <caption class="unseen">Posts of the site</caption>
      <thead>
        <tr>
          <th scope="col">Post</th>
          <th scope="col">Here</th>
          <th scope="col">At the site</th>
          <th scope="col">Published</th>
          <th scope="col">Clicks, 28 days</th>
          {q !== '' && (
            <th scope="col">
              <span class="unseen">What can be done</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {listed.posts.map((post, n) => (
          <Row site={site} post={post} n={n} clicks={clicks.get(keyOf(post) ?? '')} />
        ))}
      </tbody>
    </table>
  )
  if (q !== '') return <section class="card">{table}</section>
  return (
    <form class="card" method="post" action={`${here}/adopt`}>
      <For right="edit">
        <div class="find in bulk">
          <button class="plain" type="submit">
            Look after the ticked ones
          </button>
          <button class="plain" type="submit" name="every" value="yes">
            Look after all published posts
          </button>
        </div>
      </For>
      {table}
    </form>
  )
}

/** Errors of a site that has no list, which trying again does not change. */
const NO_LIST: ReadonlySet<string> = new Set(['no_cms_integration', 'unsupported_platform'])

const NoList = ({ site, error }: { site: number; error: ApiError }) => (
  <Empty>
    {error.code === 'no_cms_integration' ? (
      <>
        <p>Nothing is connected yet, so there is no list of posts.</p>
        <For right="manage">
          <a class="button" href={`${PATHS.integrations}?project_id=${site}`}>
            Connect the site
          </a>
        </For>
      </>
    ) : (
      <p>What is connected gives no list of its posts. The pages that its sitemap names can be found above.</p>
    )}
  </Empty>
)

const part = async (c: PagesContext, front: SiteFront, q: string, cursor: string): Promise<Child> => {
  const site = siteIdIn(c)
  const listed = await listSitePosts(ctxOf(c, front), front.targets, site, {
    ...(q === '' ? {} : { q }),
    ...(cursor === '' ? {} : { cursor }),
  }).catch((error: unknown) => {
    if (error instanceof ApiError && NO_LIST.has(error.code)) return error
    throw error
  })
  if (listed instanceof ApiError) return <NoList site={site} error={listed} />
  const clicks = await readClicks(c, front, listed.posts)
  const here = sitePath(site, 'posts')
  return (
    <>
      {listed.posts.length === 0 ? (
        <Empty>
          {q === '' ? 'The site has no posts yet.' : 'No page of the site has these words.'}{' '}
          {q !== '' && <a href={here}>Show all posts</a>}
        </Empty>
      ) : (
        <List site={site} listed={listed} clicks={clicks} q={q} />
      )}
      {q !== '' && (
        <p class="hint">
          Searched in the list of the site’s pages{' '}
          {'indexed_at' in listed && listed.indexed_at ? (
            <>
              of <Moment at={new Date(listed.indexed_at)} />
            </>
          ) : (
            ', which is not made yet'
          )}
          .
        </p>
      )}
      {listed.hidden > 0 && (
        <p class="hint">
          {listed.hidden} more {listed.hidden === 1 ? 'post is' : 'posts are'} not shown, since the connected user
          cannot edit them.
        </p>
      )}
      {'missing' in listed && listed.missing?.map((note) => <p class="hint">{forPeople(note)}</p>)}
      {listed.next_cursor !== null && (
        <p class="pages">
          <a href={withQuery(here, { q, cursor: listed.next_cursor })}>More posts</a>
        </p>
      )}
    </>
  )
}

type Adoption = NonNullable<Awaited<ReturnType<typeof showAdoption>>['adoption']>

/** Renders how far the newest adoption of many posts is, and which posts it could not adopt. */
const Progress = ({ adoption, here }: { adoption: Adoption; here: string }) => {
  const { status, adopted, known, refused, wanted, problems, error } = adoption
  const done = `${adopted}${wanted === null ? '' : ` of ${wanted}`} taken over, ${known} known before, ${refused} refused.`
  const isRunning = status === 'running'
  return (
    <div class={`notice ${error !== null || refused > 0 ? 'warn' : 'good'}`}>
      <p>
        {isRunning ? 'Posts are being taken over: ' : 'The last time: '}
        {done} {error !== null && forPeople(error)} {isRunning && <a href={here}>Look again</a>}
      </p>
      {problems.length > 0 && (
        <details>
          <summary>Posts that were not taken over</summary>
          <ul>
            {problems.map((problem) => (
              <li>
                {problem.post_id}: {forPeople(problem.reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const page = async (c: PagesContext, front: SiteFront) => {
  const [q, cursor] = [searchIn(c.req.query('q')), clip(c.req.query('cursor') ?? '', MAX_CURSOR)]
  const reading = part(c, front, q, cursor)
  reading.catch(() => {})
  const site = await siteIn(c)
  const here = sitePath(site.id, 'posts')
  const { adoption } = await showAdoption(ctxOf(c, front), site.id)
  return await showWithLater(
    c,
    front,
    { zone: site.zone, who: 'The site', again: withQuery(here, { q, cursor }), part: reading },
    {
      title: 'Posts of the site',
      menu: true,
      page: 'articles',
      site: site.id,
      body: (
        <>
          <p>
            All posts that your site has, whoever wrote them. A post that is looked after becomes an article here, with
            its text as it is: it is checked, watched in search, and can be changed and undone. Nothing is written to
            the site before somebody changes it. <a href={sitePath(site.id, 'articles')}>All articles</a>
          </p>
          {adoption && <Progress adoption={adoption} here={here} />}
          <search>
            <form class="row find" method="get" action={here}>
              <input
                type="search"
                name="q"
                value={q}
                aria-label="Words of the title or address"
                placeholder="Find by title or address"
                maxlength={200}
              />
              <button class="plain" type="submit">
                Find
              </button>
            </form>
          </search>
          <Later>Asking the site for its posts…</Later>
        </>
      ),
    },
  )
}

/** Returns the ids of the posts that are ticked in a form. */
const chosenIn = (form: Record<string, string>): string[] =>
  Object.entries(form).flatMap(([name, value]) => (/^post\d+$/.test(name) && value !== '' ? [clip(value, 200)] : []))

const adopt = async (c: PagesContext, front: SiteFront) => {
  const [form, site] = await Promise.all([formOf(c), siteIn(c)])
  const here = sitePath(site.id, 'posts')
  const ctx = ctxOf(c, front)
  const { url, every } = form
  if (url !== undefined) {
    return await act(c, front, here, async () => {
      if (!URL.canParse(url))
        throw invalidInput([{ field: 'url', message: 'must be the address of a post of the site' }])
      const { body } = await adoptPost(ctx, front.targets, { project_id: site.id, url })
      return `“${body.title}” is looked after. Nothing was written to the site.`
    })
  }
  const chosen = chosenIn(form).slice(0, MAX_CHOSEN)
  if (every === 'yes') {
    const asking = await askToConfirm(c, front, form, () => ({
      title: 'Look after all published posts?',
      body: (
        <p>
          Each becomes an article, up to the number that your plan has. Nothing is written to the site. A post can be
          let go again, which leaves the site untouched.
        </p>
      ),
      label: 'Look after all',
      back: here,
      isHarmless: true,
    }))
    if (asking) return asking
  }
  return await act(c, front, here, async () => {
    if (every !== 'yes' && chosen.length === 0) return { tone: 'bad', text: 'Tick the posts first.' }
    await adoptMany(ctx, front.targets, site.id, every === 'yes' ? { every_post: true } : { post_ids: chosen })
    return 'The posts are being taken over. This page shows how far it is.'
  })
}

/** Adds the page of the posts that a site has, on which people choose what is looked after. */
export const postsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/posts', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/posts/adopt', signedIn(front), (c) => adopt(c, front))
}
