import type { Hono } from 'hono'
import { ApiError } from '../../platform/lib/errors.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { changeStatement } from '../../publishing/statements/change.ts'
import {
  deleteStatement,
  listStatements,
  registerStatement,
  showStatement,
} from '../../publishing/statements/register.ts'
import { usesOfStatement } from '../../publishing/statements/uses.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, Field, For, Moment } from '../parts.tsx'
import { act, numberIn, type SiteFront, siteIdIn, withQuery, withSite } from './front.ts'
import { Card, type Mark, MarkedRow, MarkPill } from './parts.tsx'

const MATCHES: Record<'exact' | 'similar', Mark> = {
  exact: ['good', '●', 'The same words'],
  similar: ['warn', '◆', 'Other words'],
}

/** Names of the fields that have a sentence, for people. */
const FIELDS = { title: 'Title', meta_description: 'Description for search engines', content: 'Text' } as const

const [MAX_NAME, MAX_WORDING] = [200, 500]

const list = async (c: PagesContext, front: SiteFront) => {
  const project = siteIdIn(c)
  const [site, { statements }] = await withSite(c, listStatements(ctxOf(c, front), { project_id: project, limit: 200 }))
  const here = sitePath(site.id, 'statements')
  return await show(c, front, {
    title: 'Statements',
    menu: true,
    page: 'approvals',
    site: site.id,
    body: (
      <>
        <p>
          What your articles say in many places, such as a price, a law or a name. Register it once; when it changes,
          all articles that say it are found and mended together.
        </p>
        {statements.length === 0 ? (
          <Empty>No statement is registered yet.</Empty>
        ) : (
          <div class="card">
            <ul class="rows two">
              {statements.map((one) => (
                <li>
                  <div>
                    <a class="name" href={`${here}/${one.id}`} dir="auto">
                      {one.name}
                    </a>
                    <p>
                      <span dir="auto">{one.wording}</span>, <Moment at={new Date(one.updated_at)} />
                    </p>
                  </div>
                  <a class="button plain" href={`${here}/${one.id}`} aria-label={`Open: ${one.name}`}>
                    Open
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
        <For right="manage">
          <form method="post" action={here} class="stack narrow">
            <Field name="name" label="Name" hint="Such as: price of a shed" required maxlength={MAX_NAME} />
            <Field name="wording" label="Wording" hint="As your articles say it" required maxlength={MAX_WORDING} />
            <button type="submit">Register</button>
          </form>
        </For>
      </>
    ),
  })
}

/** Returns the statement in the path with some of its uses, and its site. Throws `not_found` for a statement of another site. */
const load = async (c: PagesContext, front: SiteFront) => {
  const ctx = ctxOf(c, front)
  const id = numberIn(c, 'statement')
  const before = idIn(c.req.query('before'))
  const [site, [{ statement }, found]] = await withSite(
    c,
    Promise.all([showStatement(ctx, id), usesOfStatement(ctx, id, before === 0 ? {} : { before_id: before })]),
  )
  if (statement.project_id !== site.id) throw new ApiError('not_found', 'The statement is of another site.')
  return { site, statement, found }
}

const detail = async (c: PagesContext, front: SiteFront) => {
  const { site, statement, found } = await load(c, front)
  const here = sitePath(site.id, `statements/${statement.id}`)
  return await show(c, front, {
    title: statement.name,
    menu: true,
    page: 'approvals',
    site: site.id,
    body: (
      <>
        <p dir="auto">
          <strong>{statement.wording}</strong>
        </p>
        {statement.alternatives.length > 0 && (
          <p dir="auto">Also: {statement.alternatives.map((text) => `“${text}”`).join(', ')}</p>
        )}
        <Card title="Uses" note="sentences that say it, newest article first">
          {found.uses.length === 0 ? (
            <Empty>
              {found.before_id === null
                ? 'No article says it.'
                : 'None of the articles that were read says it. Look at earlier ones.'}
            </Empty>
          ) : (
            <ul class="rows">
              {found.uses.map((use) => (
                <MarkedRow
                  mark={<MarkPill mark={MATCHES[use.match]} />}
                  href={sitePath(site.id, `articles/${use.article_id}`)}
                  name={use.title}
                  action="Open the article"
                >
                  {FIELDS[use.field]}: <span dir="auto">{use.sentence}</span>
                </MarkedRow>
              ))}
            </ul>
          )}
          {found.before_id !== null && (
            <p class="pages">
              <a href={withQuery(here, { before: String(found.before_id) })}>Earlier articles</a>
            </p>
          )}
        </Card>
        <For right="manage">
          <form method="post" action={`${here}/change`} class="stack narrow">
            <Field
              name="wording"
              label="New wording"
              hint="Makes a set of changes of all published articles with the same words. Nothing is sent before it is released."
              required
              maxlength={MAX_WORDING}
            />
            <button type="submit">Make a set of changes</button>
          </form>
          <form method="post" action={`${here}/delete`}>
            <button class="plain" type="submit">
              Delete the statement
            </button>
          </form>
        </For>
      </>
    ),
  })
}

/** Returns a sent text in a form that the database takes. */
const sent = (text: string | undefined, max: number): string => clip(storableText(text ?? '').trim(), max)

const register = async (c: PagesContext, front: SiteFront) => {
  const [site, form] = await withSite(c, formOf(c))
  return await act(c, front, sitePath(site.id, 'statements'), async () => {
    const wording = sent(form.wording, MAX_WORDING)
    const name = sent(form.name, MAX_NAME) || clip(wording, MAX_NAME)
    await registerStatement(ctxOf(c, front), { project_id: site.id, name, wording })
    return 'The statement is registered. Open it to see which articles say it.'
  })
}

const change = async (c: PagesContext, front: SiteFront) => {
  const [{ site, statement }, form] = await Promise.all([load(c, front), formOf(c)])
  return await act(c, front, sitePath(site.id, `statements/${statement.id}`), async () => {
    const made = await changeStatement(ctxOf(c, front), statement.id, { wording: sent(form.wording, MAX_WORDING) })
    const left = made.not_changed.length
    const rest = left === 0 ? '' : ` ${left} more could not be changed: look at them below.`
    const more = made.before_id === null ? '' : ' Older articles are not in it: release it, then make the next one.'
    return made.change_set_id === null
      ? `The statement has the new wording. No sentence of a published article was changed.${rest}`
      : `A set of changes of ${made.changes} ${made.changes === 1 ? 'article' : 'articles'} was made, and nothing was sent. Find it under sets of changes.${rest}${more}`
  })
}

const remove = async (c: PagesContext, front: SiteFront) => {
  const { site, statement } = await load(c, front)
  return await act(c, front, sitePath(site.id, 'statements'), async () => {
    await deleteStatement(ctxOf(c, front), statement.id)
    return 'The statement is deleted. Articles and sets of changes stay as they are.'
  })
}

/** Adds the pages of what a site says in many articles. */
export const statementsPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/statements', signedIn(front), (c) => list(c, front))
  app.post('/p/:site/statements', signedIn(front), (c) => register(c, front))
  app.get('/p/:site/statements/:statement', signedIn(front), (c) => detail(c, front))
  app.post('/p/:site/statements/:statement/change', signedIn(front), (c) => change(c, front))
  app.post('/p/:site/statements/:statement/delete', signedIn(front), (c) => remove(c, front))
}
