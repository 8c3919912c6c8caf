import type { Hono } from 'hono'
import { DRAFT_DAYS } from '../../../../schema/values/retention.ts'
import { readSent, type SafeContent } from '../../../content/articles/content.ts'
import { dropDraft, keepDraft, readDraft } from '../../../content/articles/drafts.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { MAX_CONTENT } from '../../../content/articles/rules.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { askToConfirm } from '../../confirm.tsx'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { backTo } from '../../notice.ts'
import { ActionButton, Moment } from '../../parts.tsx'
import { numberIn, type SiteFront, siteIdIn } from '../front.ts'
import { Sides, TextSides } from '../suggestions/compare.tsx'
import { load, pathOf } from './load.ts'

/** Id of a page of the editor, which its script makes. */
const DRAFT_ID = /^[a-z0-9]{8,40}$/

const placeIn = (c: PagesContext) => ({ articleId: numberIn(c, 'article'), personId: c.get('person').id })

/** Text that a person typed and did not save. */
export type KeptDraft = NonNullable<Awaited<ReturnType<typeof readDraft>>>

/** Returns what the signed-in person typed in the article and did not save. */
export const draftIn = (c: PagesContext, front: SiteFront): Promise<KeptDraft | undefined> =>
  readDraft(ctxOf(c, front), placeIn(c))

/** Returns a typed text as the service would save it; undefined if it refuses it. */
export const safeText = async (
  c: PagesContext,
  front: SiteFront,
  content: string,
): Promise<SafeContent | undefined> => {
  try {
    return (await readSent(ctxOf(c, front), { content })).safe
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_input') return undefined
    throw error
  }
}

/** True if the draft has other words than the saved article. */
export const differs = (draft: KeptDraft, safe: SafeContent | undefined, article: ArticleDetail): boolean =>
  draft.title !== article.title ||
  draft.metaDescription !== article.metaDescription ||
  (draft.content !== article.content && safe?.html !== article.content && safe?.played?.html !== article.content)

const tagOf = ({ updatedAt, revision }: ArticleDetail): string => etagOf(updatedAt, revision)

/**
 * Renders the offer of a text that was not saved. It is hidden without one: the script shows it when it found a text that
 * only the browser had.
 */
export const DraftOffer = ({
  c,
  draft,
  article,
  saved,
}: {
  c: PagesContext
  draft: KeptDraft | undefined
  article: ArticleDetail
  /** Id of the draft that this browser saved last. */
  saved: string
}) => {
  const isOlder = draft !== undefined && draft.version !== tagOf(article)
  return (
    <div class="notice warn row" id="draft" data-saved={saved} hidden={draft === undefined}>
      <span>
        You have text {draft && <Moment at={draft.updatedAt} />} that was not saved.
        {isOlder && ' The article was saved since you began it, so look at both texts first.'}
      </span>
      {!isOlder && <a href={pathOf(c, '/edit?draft=')}>Bring it back</a>}
      <a href={pathOf(c, '/draft')}>Compare both texts</a>
      <ActionButton action={pathOf(c, '/draft/discard')} label="Discard it" name="" fields={{}} />
    </div>
  )
}

const NAMES = ['as it is saved', 'as you wrote it'] as const

const comparePage = async (c: PagesContext, front: SiteFront) => {
  const [{ site, article }, draft] = await Promise.all([load(c, front, ''), draftIn(c, front)])
  if (!draft)
    return await backTo(c, front, pathOf(c, '/edit'), { tone: 'plain', text: 'There is no text that was not saved.' })
  const safe = await safeText(c, front, draft.content)
  return await show(c, front, {
    title: 'Your text that was not saved',
    menu: true,
    page: 'articles',
    site: site.id,
    hasPictures: true,
    actions: <a href={pathOf(c)}>Back to the article</a>,
    body: (
      <section class="card">
        <div class="row in">
          <a class="button" href={pathOf(c, `/edit?draft=${encodeURIComponent(tagOf(article))}`)}>
            Go on with yours
          </a>
          <a class="button plain" href={pathOf(c, '/edit')}>
            Edit the saved text
          </a>
          <ActionButton action={pathOf(c, '/draft/discard')} label="Discard yours" name="" fields={{}} danger />
          <span class="hint">
            You wrote it last <Moment at={draft.updatedAt} />. Nothing changes until you save. Only you see it, for{' '}
            {DRAFT_DAYS} days.
          </span>
        </div>
        <Sides label="Title" names={NAMES} before={article.title} after={draft.title} />
        <Sides label="Description" names={NAMES} before={article.metaDescription} after={draft.metaDescription} />
        {safe ? (
          <TextSides names={NAMES} before={article.content} after={safe.html} />
        ) : (
          <p class="in">Your text cannot be shown beside the saved one. “Go on with yours” has all of it.</p>
        )}
      </section>
    ),
  })
}

/**
 * Keeps what the editor's script sends. Throws `edit_conflict` if another text of the person is kept, and `forbidden` if
 * another person has signed in since the page was opened.
 */
export const keepTyped = async (c: PagesContext, front: SiteFront): Promise<object> => {
  const fields = await formOf(c)
  const { person, draft = '', title = '', meta_description = '', content = '', version = '' } = fields
  if (person !== undefined && person !== c.get('person').id)
    throw new ApiError('forbidden', 'Another person has signed in here.')
  const isSound = DRAFT_ID.test(draft) && version.length <= 100
  if (!isSound || title.length > 500 || meta_description.length > 1_000 || content.length > MAX_CONTENT) {
    await load(c, front, '')
    throw new ApiError('invalid_input', 'The text is longer than an article can be.')
  }
  const { articleId, personId } = placeIn(c)
  const place = { articleId, personId, projectId: siteIdIn(c) }
  const kept = await keepDraft(ctxOf(c, front), place, {
    draftId: draft,
    ...{ title, metaDescription: meta_description, content, version },
  })
  if (kept === 'none') throw new ApiError('not_found', 'The article is gone.')
  if (kept === 'other') throw new ApiError('edit_conflict', 'Another text of yours, which was not saved, is kept.')
  return { kept: true }
}

/** Deletes the draft that was saved. Without an id nothing was typed in the editor. */
export const dropSaved = async (c: PagesContext, front: SiteFront, draft: string): Promise<void> => {
  if (DRAFT_ID.test(draft)) await dropDraft(ctxOf(c, front), placeIn(c), draft)
}

/** Adds the page that compares a person's own unsaved text with the saved one, and the form that discards it. */
export const draftPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  const at = '/p/:site/articles/:article/draft'
  app.get(at, signedIn(front), (c) => comparePage(c, front))
  app.post(`${at}/discard`, signedIn(front), async (c) => {
    await load(c, front, '')
    const asking = await askToConfirm(c, front, await formOf(c), () => ({
      title: 'Discard your text?',
      body: <p>What you typed and did not save is gone then. The saved article stays as it is.</p>,
      label: 'Discard it',
      back: pathOf(c, '/draft'),
    }))
    if (asking) return asking
    await dropDraft(ctxOf(c, front), placeIn(c))
    return await backTo(c, front, pathOf(c, '/edit'), { tone: 'good', text: 'Your text is discarded.' })
  })
}
