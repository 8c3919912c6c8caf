import type { MediaFile, PostStatus } from '../../../../schema/values/social.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { instantOf, isIsoTime, wallTime } from '../../../platform/lib/time.ts'
import { PublishPost } from '../../../reach/social/operations.ts'
import { loadPost, publishPost } from '../../../reach/social/posts.ts'
import { postSubject } from '../../../reach/social/present.ts'
import type { OwnedPost } from '../../../reach/social/queries.ts'
import { NETWORKS } from '../../../reach/social/rules.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, show } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { ActionButton, For, Moment } from '../../parts.tsx'
import { forPeople, wordsOf } from '../../words.ts'
import { numberIn, siteIdIn, withSite } from '../front.ts'
import { Card, type Mark, MarkPill } from '../parts.tsx'
import { readPostTitles } from '../queries.ts'
import { actOrShowForm, notFoundIfForbidden, orAsk, type ReachFront, waitingOf } from './front.ts'

/** States of a post: colour, shape and word. */
export const POST_STATES: Record<PostStatus, Mark> = {
  draft: ['plain', '□', 'Draft'],
  scheduled: ['accent', '■', 'Scheduled'],
  publishing: ['accent', '…', 'Going out'],
  published: ['good', '●', 'Published'],
  failed: ['bad', '▲', 'Failed'],
}

const WAITS: Mark = ['warn', '◇', 'To approve']

type Dated = {
  status: PostStatus
  scheduledFor: Date | null
  publishedAt: Date | null
  updatedAt: Date
  createdAt: Date
}

/** Renders the time at which a post is scheduled, was published, was tried or was created. */
export const When = ({ post }: { post: Dated }) => {
  const { status, scheduledFor, publishedAt, updatedAt, createdAt } = post
  if (status === 'published')
    return (
      <>
        out since <Moment at={publishedAt ?? updatedAt} />
      </>
    )
  if (status === 'scheduled')
    return (
      <>
        goes out <Moment at={scheduledFor} />
      </>
    )
  if (status === 'failed')
    return (
      <>
        tried <Moment at={updatedAt} />
      </>
    )
  return (
    <>
      made <Moment at={createdAt} />
    </>
  )
}

/** Renders the state of a post. Waiting for approval replaces its other state. */
export const PostState = ({ status, waits }: { status: PostStatus; waits: boolean }) => (
  <MarkPill mark={waits ? WAITS : POST_STATES[status]} />
)

/** Submitted form that was refused, with its error. */
type Sent = { content: string; at: string; error: ApiError }

/** Returns the post in the path, and its site. Throws `not_found` for a post of another site. */
export const loadSitePost = async (c: PagesContext, front: ReachFront) => {
  const [site, post] = await withSite(c, notFoundIfForbidden(loadPost(ctxOf(c, front), numberIn(c, 'post'))))
  if (post.projectId !== site.id) throw new ApiError('not_found', 'The post is of another site.')
  return { site, post }
}

const isOpen = ({ status }: OwnedPost): boolean => status === 'draft' || status === 'scheduled' || status === 'failed'

const Files = ({ files }: { files: readonly MediaFile[] }) => (
  <div class="in row">
    {files.map(({ type, url, alt_text: alt }) =>
      type === 'image' ? (
        <img class="thumb" src={url} alt={alt ?? 'Picture of the post'} loading="lazy" />
      ) : (
        <a href={url} rel="noreferrer">
          The video
        </a>
      ),
    )}
  </div>
)

/** Returns the error of a post for people, and says if the post may have gone out. */
const troubleOf = ({ error, maybeSent }: OwnedPost): string => {
  const why = forPeople(error ?? '') || 'The network did not accept it.'
  return maybeSent
    ? `${why} It is not known whether it went out. The service looks for it there before it sends it again.`
    : why
}

type ContentProps = {
  post: OwnedPost
  site: number
  /** Title of the article that the post is about. */
  about: string | undefined
}

/** Renders a post's text and files, and the links that belong to it. */
const Content = ({ post, site, about }: ContentProps) => (
  <Card title={NETWORKS[post.platform].name} note={<When post={post} />}>
    <div class="in said" dir="auto">
      {post.content}
    </div>
    {post.mediaFiles.length > 0 && <Files files={post.mediaFiles} />}
    <dl class="in">
      {post.articleId !== null && (
        <div>
          <dt>About</dt>
          <dd>
            <a href={sitePath(site, `articles/${post.articleId}`)} dir="auto">
              {about ?? 'The article'}
            </a>
          </dd>
        </div>
      )}
      {post.link !== null && (
        <div>
          <dt>Link</dt>
          <dd>
            <a href={post.link} rel="noreferrer">
              {post.link}
            </a>
          </dd>
        </div>
      )}
      {post.url !== null && (
        <div>
          <dt>Seen at</dt>
          <dd>
            <a href={post.url} rel="noreferrer">
              {post.url}
            </a>
          </dd>
        </div>
      )}
    </dl>
  </Card>
)

const SendForm = ({ post, here, sent }: { post: OwnedPost; here: string; sent: Sent | undefined }) => {
  const { name, limit } = NETWORKS[post.platform]
  const at = post.scheduledFor === null ? '' : wallTime(post.scheduledFor, post.timezone).slice(0, 16)
  return (
    <Card title={post.status === 'failed' ? 'Try again' : 'Send it'}>
      <form class="stack in" method="post" action={here}>
        {!post.maybeSent && (
          <label>
            Text
            <textarea
              name="content"
              rows={8}
              dir="auto"
              aria-describedby="limit"
              aria-invalid={sent ? 'true' : undefined}
            >
              {`\n${sent?.content ?? post.content}`}
            </textarea>
            <span class="hint" id="limit">
              {name} allows {limit.toLocaleString('en-US')} characters
              {post.link === null ? '' : ', with the link'}. A changed text is saved when the post is sent or dated.
            </span>
          </label>
        )}
        <label>
          Day and time
          <input type="datetime-local" name="at" value={sent?.at ?? at} />
          <span class="hint">by the clock of {post.timezone}; not needed to publish now</span>
        </label>
        <div class="row">
          <button class="plain" type="submit" name="how" value="date">
            {post.status === 'scheduled' ? 'Save' : 'Schedule'}
          </button>
          <button type="submit" name="how" value="now">
            {post.status === 'failed' ? 'Try again now' : 'Publish now'}
          </button>
        </div>
      </form>
    </Card>
  )
}

/** Shows one post: its text and files, its state, and the form that sends it. */
export const postPage = async (c: PagesContext, front: ReachFront, sent?: Sent) => {
  const [ctx, project] = [ctxOf(c, front), siteIdIn(c)]
  const [account, before] = [c.get('person').accountId, numberIn(c, 'post') + 1]
  const beside = Promise.all([
    readPostTitles(front.deps.db, { account, project, before }),
    waitingOf(ctx, project, 'social_post'),
  ])
  // A missing post is reported before an error of these reads.
  beside.catch(() => {})
  const { site, post } = await loadSitePost(c, front)
  const [titles, waiting] = await beside
  const approval = waiting.get(postSubject(post.id))?.id
  const here = sitePath(site.id, `social/${post.id}`)
  const { name } = NETWORKS[post.platform]
  return await show(c, front, {
    title: `Post on ${name}`,
    menu: true,
    page: 'social',
    site: site.id,
    hasPictures: true,
    status: sent ? (sent.error.status as 400) : 200,
    ...(sent ? { notice: { tone: 'bad', text: wordsOf(sent.error) } } : {}),
    actions: <PostState status={post.status} waits={approval !== undefined} />,
    body: (
      <div class="cards">
        {approval !== undefined && (
          <div class="notice warn">
            <p>
              It waits for the approval of a person.{' '}
              <a href={sitePath(site.id, `approvals/${approval}`)}>Look at what is asked</a>
            </p>
          </div>
        )}
        {post.status === 'failed' && (
          <div class="notice bad">
            <p>{troubleOf(post)}</p>
            <For right="manage">
              <p>
                <a href={`${PATHS.social}?project_id=${site.id}`}>Look at the accounts</a>
              </p>
            </For>
          </div>
        )}
        <Content post={post} site={site.id} about={post.articleId === null ? undefined : titles.get(post.articleId)} />
        {isOpen(post) && (
          <For right="edit">
            <SendForm post={post} here={here} sent={sent} />
          </For>
        )}
        {isOpen(post) && !post.maybeSent && (
          <For right="manage">
            <Card title="Delete">
              <div class="in row">
                <ActionButton action={`${here}/delete`} label="Delete the post" name="" fields={{}} danger />
              </div>
            </Card>
          </For>
        )}
      </div>
    ),
  })
}

const refusal = (message: string) => new ApiError('invalid_input', message)

/** Returns the API call for a submitted form. Throws a refusal with a message for people. */
const callOf = (post: OwnedPost, { how, at = '', content }: Record<string, string>, now: Date) => {
  const text = content?.replaceAll('\r\n', '\n')
  const isDated = how === 'date'
  if (isDated && !isIsoTime(at))
    throw refusal('Nothing was changed. Choose a day and a time for it, or publish it now.')
  if (isDated && instantOf(at, post.timezone) <= now)
    throw refusal('Nothing was changed. That time has passed: choose a later one, or publish it now.')
  const parsed = PublishPost.safeParse({
    ...(text === undefined || text === post.content ? {} : { content: text }),
    ...(isDated ? { scheduled_for: at } : {}),
  })
  if (!parsed.success)
    throw refusal('Nothing was changed. The text is too long, or has characters that no network accepts.')
  return parsed.data
}

/** Returns a refusal with a message for the people who wrote the text. */
const forWriters = (error: ApiError): ApiError => {
  const [detail] = error.extras.details ?? []
  return error.code === 'invalid_input' && detail?.field === 'content'
    ? refusal(`Nothing was changed. The text ${detail.message}.`)
    : error
}

/** Sends a post now or on a date, as its form says. After a refusal, the form keeps its values. */
export const sendPost = async (c: PagesContext, front: ReachFront): Promise<Response> => {
  const [fields, { site, post }] = await Promise.all([formOf(c), loadSitePost(c, front)])
  const ctx = ctxOf(c, front)
  const send = async (): Promise<Notice | string> => {
    const body = callOf(post, fields, front.deps.now())
    const call = { operation: 'social.publish_post', input: { params: { post_id: post.id }, query: {}, body } }
    const sent = await orAsk(ctx, call, () => publishPost(ctx, front.social, post.id, body))
    if (!sent) return { tone: 'warn', text: 'It waits for the approval of another person, and goes out then.' }
    return fields.how === 'date' ? 'It goes out at that time.' : 'It is on its way. This page shows the outcome.'
  }
  const { content = post.content, at = '' } = fields
  return await actOrShowForm(c, front, sitePath(site.id, `social/${post.id}`), send, (error) =>
    postPage(c, front, { content, at, error: forWriters(error) }),
  )
}
