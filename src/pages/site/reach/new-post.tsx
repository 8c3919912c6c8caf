import type { Hono } from 'hono'
import type { MediaFile } from '../../../../schema/values/social.ts'
import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { httpUrl } from '../../../platform/lib/fields.ts'
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
import { PICTURES_JS } from '../../pictures.generated.ts'
import { wordsOf } from '../../words.ts'
import { act, mayAct, siteIdIn, siteIn, withSite } from '../front.ts'
import { Card } from '../parts.tsx'
import { answerScript, hostFile, hostPicture } from '../script-calls.ts'
import type { ReachFront } from './front.ts'

/** Most letters of a post's text in the form: those of the network with the longest posts. */
const LONGEST = Math.max(...Object.values(NETWORKS).map(({ limit }) => limit))

/** Name of the checkbox of an account. */
const boxOf = ({ id }: Reachable): string => `to-${id}`

const nameOf = ({ platform, username, name, id }: Reachable): string =>
  `${NETWORKS[platform].name}, ${username || name || id}`

/** Most pictures that any network accepts in a post. */
const MOST_PICTURES = Math.max(...Object.values(NETWORKS).map(({ maxMedia = 0 }) => maxMedia))

const MAX_ALT = 1_000

const isAddress = (text: string): boolean => httpUrl().safeParse(text).success

type Picture = { url: string; alt: string }

type Fields = Record<string, string>

type Typed = {
  content: string
  link: string
  pictures: Picture[]
  /** Text typed as the address of a picture, that is none. */
  wrongAddresses: string[]
  fields: Fields
}

/** Returns the pictures that the form shows, without those that are to be left out. */
const keptPictures = (fields: Fields): Picture[] =>
  Array.from({ length: MOST_PICTURES }, (_, n) => ({
    url: fields[`picture${n}`] ?? '',
    alt: (fields[`alt${n}`] ?? '').trim(),
    isOut: fields[`drop${n}`] === 'yes',
  })).filter(({ url, isOut }) => !isOut && isAddress(url))

const typedIn = (fields: Fields): Typed => {
  const addresses = (fields.addresses ?? '').split(/\s+/).filter((one) => one !== '')
  return {
    content: (fields.content ?? '').replaceAll('\r\n', '\n'),
    link: (fields.link ?? '').trim(),
    pictures: [...keptPictures(fields), ...addresses.filter(isAddress).map((url) => ({ url, alt: '' }))],
    wrongAddresses: addresses.filter((one) => !isAddress(one)),
    fields,
  }
}

/** Returns the files of the post. A file is a picture unless its address ends like a video's. */
const filesOf = ({ pictures }: Typed): MediaFile[] =>
  pictures.flatMap(({ url, alt }) =>
    mediaOf([url]).map((file) => (alt === '' ? file : { ...file, alt_text: alt.slice(0, MAX_ALT) })),
  )

const chosenOf = (accounts: readonly Reachable[], { fields }: Typed): Reachable[] =>
  accounts.filter((account) => fields[boxOf(account)] === 'yes')

/** Returns the body of the call that saves the posts. Throws a refusal with a sentence for people. */
const bodyOf = (site: number, accounts: readonly Reachable[], typed: Typed) => {
  const chosen = chosenOf(accounts, typed)
  if (chosen.length === 0) throw new ApiError('invalid_input', 'Choose at least one account.')
  if (typed.fields.file)
    throw new ApiError('invalid_input', 'Add the picture first, then save. Nothing was saved. Choose the file again.')
  const parsed = PublishPosts.safeParse({
    project_id: site,
    content: typed.content,
    platforms: chosen.map(({ platform, id }) => ({ platform, account_id: id })),
    ...(typed.link === '' ? {} : { link: typed.link }),
    media_files: [...filesOf(typed), ...typed.wrongAddresses],
    draft: true,
  })
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path[0]
  throw new ApiError(
    'invalid_input',
    field === 'link'
      ? 'The link is not an address that begins with https://.'
      : field === 'media_files'
        ? 'One of the pictures has no address that begins with https://, or there are too many.'
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
          {media.map(({ type, url, alt_text: alt = '' }) =>
            type === 'video' ? <a href={url}>The video</a> : <img class="thumb" src={url} alt={alt} loading="lazy" />,
          )}
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

/** Renders the pictures of the post, each with its alternative text, and the fields that add others. */
const Pictures = ({ here, typed: { pictures, wrongAddresses } }: { here: string; typed: Typed }) => {
  const untold = pictures.findIndex(({ alt }) => alt === '')
  return (
    <fieldset class="stack">
      <legend>Pictures (optional)</legend>
      {pictures.map(({ url, alt }, n) => (
        <div class="row">
          <input type="hidden" name={`picture${n}`} value={url} />
          <img class="thumb" src={url} alt="" loading="lazy" />
          <div class="stack">
            <label>
              What it shows
              <input name={`alt${n}`} value={alt} maxlength={MAX_ALT} dir="auto" autofocus={n === untold} />
              <span class="hint">for people who do not see it</span>
            </label>
            <label class="check">
              <input type="checkbox" name={`drop${n}`} value="yes" />
              Leave it out
            </label>
          </div>
        </div>
      ))}
      <label>
        Files
        <input id="picture-file" type="file" name="file" accept="image/jpeg,image/png,image/webp,image/gif" multiple />
        <span class="hint" id="picture-said" role="status">
          JPG, PNG, WebP or GIF, each at most 12 MB
        </span>
      </label>
      <Field
        name="addresses"
        label="Or their addresses"
        hint="With blanks between them; networks fetch them there"
        value={wrongAddresses.join(' ')}
        maxlength={20_000}
      />
      <div>
        <button class="plain" type="submit" formaction={`${here}/pictures`} formenctype="multipart/form-data">
          Add the pictures
        </button>
      </div>
    </fieldset>
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
    <Pictures here={here} typed={typed} />
    <div class="row">
      <button class="plain" type="submit" name="how" value="preview" id="preview">
        Preview
      </button>
      <button type="submit" name="how" value="draft">
        Save as a draft
      </button>
      <span class="hint">You send it, or give it a date, on the next page.</span>
    </div>
  </form>
)

type Shown = { typed?: Typed; isPreview?: boolean; wrong?: string; status?: 400 | 413 | 415 }

const page = async (c: PagesContext, front: ReachFront, shown: Shown = {}) => {
  const { typed = typedIn({}), isPreview = false, wrong, status = 400 } = shown
  const project = siteIdIn(c)
  const [site, all] = await withSite(c, accountsOf(ctxOf(c, front), front.social, project))
  const accounts = all.filter(({ usable }) => usable)
  const chosen = chosenOf(accounts, typed)
  const media = filesOf(typed)
  return await show(c, front, {
    title: 'New post',
    menu: true,
    page: 'social',
    site: site.id,
    hasPictures: true,
    script: PICTURES_JS,
    status: wrong === undefined ? 200 : status,
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

/** Returns the fields of a form with files, and the files. NUL becomes U+FFFD, as in `formOf`. */
const formWithFiles = async (c: PagesContext): Promise<{ fields: Fields; files: File[] }> => {
  const entries = [...(await c.req.formData())]
  return {
    fields: Object.fromEntries(
      entries.flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value.replaceAll('\0', '\ufffd')] as const] : [],
      ),
    ),
    files: entries.flatMap(([, value]) => (typeof value === 'string' || value.size === 0 ? [] : [value])),
  }
}

/** Hosts the files of the form and shows the post with them. A file that is refused adds nothing. */
const addPictures = async (c: PagesContext, front: ReachFront): Promise<Response> => {
  const { fields, files } = await formWithFiles(c)
  try {
    if (files.length > 0 && !(await mayAct(c, front))) throw new ApiError('rate_limited', '')
    const hosted: string[] = []
    for (const file of files) hosted.push(await hostFile(c, front, await file.arrayBuffer()))
    const addresses = [fields.addresses ?? '', ...hosted].join(' ')
    return await page(c, front, { typed: typedIn({ ...fields, addresses }), isPreview: true })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
    const status = error.status === 413 || error.status === 415 ? error.status : 400
    return await page(c, front, { typed: typedIn(fields), isPreview: true, wrong: wordsOf(error), status })
  }
}

/** Adds the page on which people write a post. */
export const newPostPages = (app: Hono<PagesEnv>, front: ReachFront): void => {
  const at = '/p/:site/social/new'
  app.get(at, signedIn(front), (c) => page(c, front))
  app.post(`${at}/pictures`, signedIn(front), async (c) => {
    await siteIn(c)
    return (c.req.header('content-type') ?? '').startsWith('image/')
      ? await answerScript(c, front, () => hostPicture(c, front))
      : await addPictures(c, front)
  })
  app.post(at, signedIn(front), async (c) => {
    const typed = typedIn(await formOf(c))
    if (typed.fields.how === 'preview' && !typed.fields.file) return await page(c, front, { typed, isPreview: true })
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
