import { type ArticleDetail, getArticle } from '../../../content/articles/read.ts'
import { languageTag } from '../../../content/articles/translations.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { JoinTranslation } from '../../../publishing/translations/operations.ts'
import { joinTranslation } from '../../../publishing/translations/translations.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Notice } from '../../notice.ts'
import { ActionButton, Field, For, Pill } from '../../parts.tsx'
import type { Site } from '../../queries.ts'
import { numberIn, type SiteFront } from '../front.ts'
import { Card } from '../parts.tsx'
import { pathOf } from './load.ts'

/** Renders the group of translations of an article, with its forms. Of an article on a site that the person may not see, only the language. */
export const TranslationsCard = ({
  c,
  article,
  sites,
}: {
  c: PagesContext
  article: ArticleDetail
  sites: readonly Pick<Site, 'id'>[]
}) => (
  <Card title="In other languages">
    {article.translations.length === 0 ? (
      <p class="in hint">No article about the same subject in another language is joined with it.</p>
    ) : (
      <ul class="rows two">
        {article.translations.map((one) => (
          <li>
            {sites.some(({ id }) => id === one.project_id) ? (
              <a href={sitePath(one.project_id, `articles/${one.article_id}`)} dir="auto">
                {one.title}
              </a>
            ) : (
              <span>An article of another site</span>
            )}
            <Pill>{languageTag(one.language)}</Pill>
          </li>
        ))}
      </ul>
    )}
    <For right="edit">
      <form class="stack in" method="post" action={pathOf(c, '/translation')}>
        <Field
          name="other"
          label="Join it with the article"
          hint="The address of that article’s page here, or its number."
          required
          maxlength={500}
        />
        <Field
          name="language"
          label="Language of this article"
          hint="Such as German or pt-BR. Empty: that of the site."
          maxlength={100}
        />
        <div class="row">
          <button class="plain" type="submit">
            Join
          </button>
        </div>
      </form>
      {article.translations.length > 0 && (
        <div class="in">
          <ActionButton action={pathOf(c, '/translation/leave')} label="Take it out of the group" name="" fields={{}} />
        </div>
      )}
    </For>
  </Card>
)

/** Returns nothing for an article that the account does not have. Throws any other error. */
const noneIfUnknown = (error: unknown): undefined => {
  if (!(error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden'))) throw error
}

/** Joins the article in the path with one that the person names. Returns the notice, and refuses articles of sites that the person may not see. */
export const joinNamed = async (
  c: PagesContext,
  front: SiteFront,
  { other = '', language = '' }: Record<string, string>,
): Promise<Notice> => {
  const ctx = ctxOf(c, front)
  const id = idIn(/^(?:.*\/)?(\d+)\/?(?:[?#].*)?$/.exec(other.trim())?.[1])
  const sites = await c.get('sites')
  const named = id === 0 ? undefined : await getArticle(ctx, id).catch(noneIfUnknown)
  if (!named || !sites.some((site) => site.id === named.projectId))
    return { tone: 'bad', text: 'There is no such article on your sites. Nothing was changed.' }
  const given = language.trim()
  const input = JoinTranslation.safeParse({ translation_of: id, ...(given === '' ? {} : { language: given }) })
  if (!input.success) return { tone: 'bad', text: 'That is no language, such as German or pt-BR. Nothing was changed.' }
  await joinTranslation(ctx, numberIn(c, 'article'), input.data)
  return { tone: 'good', text: 'Joined.' }
}
