import type { MiddlewareHandler } from 'hono'
import { PATHS } from '../../../accounts/people/paths.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { formOf, type PagesContext, type PagesEnv, show } from '../../front.tsx'
import { Field } from '../../parts.tsx'
import type { SiteFront } from '../front.ts'
import { sentText } from './forms.ts'
import { changedSettings } from './settings.tsx'

/** Returns why a text was not saved, by the answer that would have been sent. */
const reasonOf = (c: PagesContext): string => {
  if (c.res.status === 303) return 'You are no longer signed in. Sign in in another tab, and then save here again.'
  if (c.res.status === 503) return 'The database does not answer at the moment. Save again in a few seconds.'
  if (c.res.status === 404) return 'The article is not there any more: somebody deleted it. Copy your text.'
  if (c.error instanceof ApiError && c.error.code === 'forbidden') return c.error.message
  return 'Something went wrong, and it is not known whether it was saved. Look before you save again.'
}

/**
 * Returns a submitted text to the person if it could not be saved: their session ended, the database was away, or
 * another error. So nothing is lost, with scripts or without.
 *
 * A text that the editor has kept is offered there again, so a person without a session goes on to sign in.
 */
export const returnsText =
  (front: SiteFront): MiddlewareHandler<PagesEnv> =>
  async (c, next) => {
    await next()
    const isSignedOut = c.res.status === 303 && (c.res.headers.get('location') ?? '').startsWith(PATHS.signIn)
    if (!isSignedOut && !c.error) return
    const fields = await formOf(c)
    const { version = '', draft = '', title = '', meta_description = '', content = '', content_json = '' } = fields
    const isEmpty = [title, meta_description, content, content_json].every((text) => text === '')
    if (isEmpty || (isSignedOut && draft !== '')) return
    const why = reasonOf(c)
    const status = c.res.status === 303 ? 403 : (c.res.status as 403 | 404 | 500 | 503)
    c.header('Location', undefined)
    c.res = await show(c, front, {
      title: 'Not saved',
      status,
      body: (
        <>
          <p class="notice bad" role="alert">
            {why} Your text is below.
            {draft !== '' && ' It is kept too: the editor offers it when you open it again.'}
          </p>
          <form class="stack" method="post" action={c.req.path}>
            <input type="hidden" name="version" value={version} />
            <input type="hidden" name="draft" value={draft} />
            {Object.entries(changedSettings(fields)).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <Field name="title" label="Title" value={title} required maxlength={500} />
            <Field
              name="meta_description"
              label="Description for search engines"
              value={meta_description}
              maxlength={1_000}
            />
            <label>
              Text (HTML)
              <textarea name="content" rows={18} maxlength={500_000} dir="auto">
                {sentText(content, content_json)}
              </textarea>
            </label>
            <div class="row">
              <button type="submit">Save again</button>
              <a class="button plain" href={`${c.req.path}/edit`}>
                Open the editor
              </a>
            </div>
          </form>
        </>
      ),
    })
  }
