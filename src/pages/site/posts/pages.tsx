import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { PATHS } from '../../../accounts/people/paths.ts'
import { clicksOfKeys } from '../../../insights/search/parts.ts'
import { ApiError, invalidInput } from '../../../platform/lib/errors.ts'
import { clip } from '../../../platform/lib/text.ts'
import { adoptPost } from '../../../publishing/adopt/adopt.ts'
import { adoptMany, showAdoption } from '../../../publishing/adopt/many.ts'
import { listSitePosts } from '../../../publishing/adopt/site-posts.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf, searchIn } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, signedIn } from '../../front.tsx'
import { Later, showWithLater } from '../../later.tsx'
import { sitePath } from '../../menu.ts'
import { Empty, For, Moment } from '../../parts.tsx'
import { forPeople } from '../../words.ts'
import { act, type SiteFront, siteIdIn, siteIn, withQuery, withSite } from '../front.ts'
import { keyOf, List, type Post } from './list.tsx'

const [MAX_CURSOR, MAX_CHOSEN] = [2_000, 200]

/** Returns the clicks of posts in the last complete period of 28 days, by their keys. */
const readClicks = async (c: PagesContext, front: SiteFront, posts: readonly Post[]) => {
  const keys = posts.flatMap((post) => keyOf(post) ?? [])
  if (keys.length === 0) return new Map<string, number>()
  const { rows } = await ctxOf(c, front).read(() => clicksOfKeys(front.deps.db, siteIdIn(c), keys))
  return new Map(rows.map(({ page_key: key, clicks }) => [key, clicks]))
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
  const [site, { adoption }] = await withSite(c, showAdoption(ctxOf(c, front), siteIdIn(c)))
  const here = sitePath(site.id, 'posts')
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
