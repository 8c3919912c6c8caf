import { clip } from '../../../platform/lib/text.ts'
import { pageKey } from '../../../platform/lib/urls.ts'
import type { listSitePosts } from '../../../publishing/adopt/site-posts.ts'
import { hostOf, sitePath } from '../../menu.ts'
import { ActionButton, For, Moment } from '../../parts.tsx'
import { type Mark, MarkPill } from '../parts.tsx'

type Listed = Awaited<ReturnType<typeof listSitePosts>>
export type Post = Listed['posts'][number]

const OURS: Record<'own' | 'adopted' | 'none', Mark> = {
  own: ['good', '●', 'Published from here'],
  adopted: ['good', '◆', 'Looked after'],
  none: ['plain', '□', 'Only at the site'],
}

/** Returns the key of a post's address, under which search data has it; undefined without an address. */
export const keyOf = ({ url }: Post): string | undefined => {
  const address = url === null ? null : URL.parse(url)
  return address ? pageKey(address) : undefined
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

/** Renders posts, each with its state here. Those that are free can be ticked, or adopted one by one in a search. */
export const List = ({ site, listed, clicks, q }: ListProps) => {
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
