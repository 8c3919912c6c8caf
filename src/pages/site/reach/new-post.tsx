import type { Hono } from 'hono'
import type { MediaFile } from '../../../../schema/values/social.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { accountsOf, type Reachable } from '../../../reach/social/accounts.ts'
import { mediaOf } from '../../../reach/social/input-rules.ts'
import { PublishPosts } from '../../../reach/social/operations.ts'
import { publishPosts } from '../../../reach/social/publish.ts'
import { mediaMisfit, misfit, NETWORKS, outgoingText } from '../../../reach/social/rules.ts'
import { ctxOf } from '../../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { Empty, Field, For, Pill, upper } from '../../parts.tsx'
import { wordsOf } from '../../words.ts'
import { act, siteIdIn, siteIn, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import type { ReachFront } from './front.ts'

/** Most letters of a post's text in the form: those of the network with the longest posts. */
const LONGEST = Math.max(...Object.values(NETWORKS).map(({ limit }) => limit))

/** Name of the checkbox of an account. */
const boxOf = ({ id }: Reachable): string => `to-${id}`

const nameOf = ({ platform, username, name, id }: Reachable): string =>
  `${NETWORKS[platform].name}, ${username || name || id}`

type Typed = { content: string; link: string; pictures: string[]; fields: Record<string, string> }

const typedIn = (fields: Record<string, string>): Typed => ({
  content: (fields.content ?? '').replaceAll('\r\n', '\n'),
  link: (fields.link ?? '').trim(),
  pictures: (fields.pictures ?? '').split(/\s+/).filter((one) => one !== ''),
  fields,
})

const chosenOf = (accounts: readonly Reachable[], { fields }: Typed): Reachable[] =>
  accounts.filter((account) => fields[boxOf(account)] === 'yes')

/** Returns the body of the call that saves the posts. Throws a refusal with a sentence for people. */
const bodyOf = (site: number, accounts: readonly Reachable[], typed: Typed) => {
  const chosen = chosenOf(accounts, typed)
  if (chosen.length === 0) throw new ApiError('invalid_input', 'Choose at least one account.')
  const parsed = PublishPosts.safeParse({
    project_id: site,
    content: typed.content,
    platforms: chosen.map(({ platform, id }) => ({ platform, account_id: id })),
    ...(typed.link === '' ? {} : { link: typed.link }),
    ...(typed.pictures.length === 0 ? {} : { media_files: typed.pictures }),
    draft: true,
  })
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path[0]
  throw new ApiError(
    'invalid_input',
    field === 'link'
      ? 'The link is not an address that begins with https://.'
      : field === 'media_files'
        ? 'One of the pictures is not an address that begins with https://.'
        : 'The text is too long, or has characters that no network accepts.',
  )
}

/** Returns the reasons why a refused post does not fit, as sentences. */
const reasonsOf = (error: ApiError): string => {
  const details = error.extras.details ?? []
  if (details.length === 0) return wordsOf(error)
  const sentences = details.map(
    ({ field, message }) => `${field === 'media_files' ? 'Pictures' : 'The text'} ${message}.`,
  )
  return [...new Set(sentences)].map(upper).join(' ')
}

/** Renders a post as its network will get it, with the number of its characters. */
const Preview = ({ account, typed, media }: { account: Reachable; typed: Typed; media: MediaFile[] }) => {
  const { platform } = account
  const { limit, caption, count } = NETWORKS[platform]
  const draft = { content: typed.content, link: typed.link === '' ? null : typed.link, media }
  const text = outgoingText(platform, draft)
  const wrong = [misfit(platform, draft), mediaMisfit(platform, media)?.replace(/^/, 'Pictures ')].find(Boolean)
  const most = media.length > 0 ? (caption ?? limit) : limit
  return (
    <Card
      title={nameOf(account)}
      note={`${count(text).toLocaleString('en-US')} of ${most.toLocaleString('en-US')} characters`}
    >
      <div class="in said" dir="auto">
        {text}
      </div>
      {media.length > 0 && (
        <div class="in row">
          {media.map(({ url }) => (
            <img class="thumb" src={url} alt="" loading="lazy" />
          ))}
        </div>
      )}
      <div class="in">
        {wrong === undefined ? (
          <Pill tone="good" shape="●">
            Fits
          </Pill>
        ) : (
          <Pill tone="bad" shape="▲">
            {upper(wrong.startsWith('Pictures') ? wrong : `the text ${wrong}`)}
          </Pill>
        )}
      </div>
    </Card>
  )
}

const Form = ({ here, accounts, typed }: { here: string; accounts: readonly Reachable[]; typed: Typed }) => (
  <form class="stack narrow" method="post" action={here}>
    <fieldset>
      <legend>Where</legend>
      {accounts.map((account) => (
        <label class="check">
          <input
            type="checkbox"
            name={boxOf(account)}
            value="yes"
            checked={accounts.length === 1 || typed.fields[boxOf(account)] === 'yes'}
          />
          {nameOf(account)}
        </label>
      ))}
    </fieldset>
    <label>
      Text
      <textarea name="content" rows={8} dir="auto" maxlength={LONGEST}>
        {`\n${typed.content}`}
      </textarea>
    </label>
    <Field name="link" label="Link (optional)" hint="It is put after the text" value={typed.link} maxlength={2_000} />
    <label>
      Addresses of pictures (optional)
      <textarea name="pictures" rows={2} placeholder="https://…">
        {`\n${typed.pictures.join('\n')}`}
      </textarea>
      <span class="hint">one on each line; networks fetch them there</span>
    </label>
    <div class="row">
      <button class="plain" type="submit" name="how" value="preview">
        Preview
      </button>
      <button type="submit" name="how" value="draft">
        Save as a draft
      </button>
      <span class="hint">You send it, or give it a date, on the next page.</span>
    </div>
  </form>
)

type Shown = { typed?: Typed; isPreview?: boolean; wrong?: string }

const page = async (c: PagesContext, front: ReachFront, shown: Shown = {}) => {
  const { typed = typedIn({}), isPreview = false, wrong } = shown
  const project = siteIdIn(c)
  const [site, all] = await withSite(c, accountsOf(ctxOf(c, front), front.social, project))
  const accounts = all.filter(({ usable }) => usable)
  const chosen = chosenOf(accounts, typed)
  const media = isPreview
    ? mediaOf(typed.pictures.filter((one) => one.startsWith('https://') && URL.canParse(one)))
    : []
  return await show(c, front, {
    title: 'New post',
    menu: true,
    page: 'social',
    site: site.id,
    hasPictures: true,
    status: wrong === undefined ? 200 : 400,
    ...(wrong === undefined ? {} : { notice: { tone: 'bad', text: wrong } }),
    body:
      accounts.length === 0 ? (
        <Empty>
          <p>No account of a network works at this moment.</p>
          <For right="manage">
            <a class="button" href={`${PATHS.social}?project_id=${site.id}`}>
              Connect an account
            </a>
          </For>
        </Empty>
      ) : (
        <>
          {isPreview && (
            <div class="cards">
              {chosen.length === 0 && <p>Choose at least one account to see its preview.</p>}
              {chosen.map((account) => (
                <Preview account={account} typed={typed} media={media} />
              ))}
            </div>
          )}
          <Form here={sitePath(site.id, 'social/new')} accounts={accounts} typed={typed} />
        </>
      ),
  })
}

/** Adds the page on which people write a post. */
export const newPostPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  const at = '/p/:site/social/new'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.post(at, signedIn(front), async (c) => {
    const typed = typedIn(await formOf(c))
    if (typed.fields.how === 'preview') return await page(c, front, { typed, isPreview: true })
    const { id } = await siteIn(c)
    const ctx = ctxOf(c, front)
    try {
      const accounts = await accountsOf(ctx, front.social, id)
      const { posts } = await publishPosts(ctx, front.social, bodyOf(id, accounts, typed))
      const [only] = posts
      const where = posts.length === 1 && only ? `social/${only.post_id}` : 'social?status=draft'
      const said: Notice = {
        tone: 'good',
        text: posts.length === 1 ? 'The draft is saved.' : `${posts.length} drafts are saved, one for each account.`,
      }
      return await act(c, front, sitePath(id, where), async () => said)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
      return await page(c, front, { typed, isPreview: true, wrong: reasonsOf(error) })
    }
  })
}
