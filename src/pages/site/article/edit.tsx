import { raw } from 'hono/html'
import { topBlocks } from '../../../content/html/blocks.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { EDITOR_JS } from '../../editor.generated.ts'
import { type PagesContext, show } from '../../front.tsx'
import type { SiteFront } from '../front.ts'
import { isLive, load, pathOf } from './load.ts'
import { TextForm } from './text.tsx'

const BUTTONS = [
  ['bold', 'strong', 'Bold'],
  ['italic', 'em', 'Italic'],
  ['code', 'code', 'Code'],
  ['bullets', undefined, 'Bullets'],
  ['numbers', undefined, 'Numbers'],
  ['quote', undefined, 'Quote'],
  ['divider', undefined, 'Line'],
  ['undo', undefined, 'Undo'],
  ['redo', undefined, 'Redo'],
] as const

const Bar = () => (
  <div class="row tools" id="bar" role="toolbar" aria-label="Formatting">
    <select id="style" aria-label="Style of the paragraph">
      <option value="p">Text</option>
      <option value="2">Heading 2</option>
      <option value="3">Heading 3</option>
      <option value="4">Heading 4</option>
    </select>
    {BUTTONS.map(([command, mark, label]) => (
      <button
        class="plain"
        type="button"
        data-command={command}
        data-mark={mark}
        aria-pressed={mark === undefined ? undefined : 'false'}
      >
        {label}
      </button>
    ))}
    <input id="link" type="url" placeholder="https://" aria-label="Address of the link" />
    <button class="plain" type="button" data-command="link">
      Link
    </button>
    <button class="plain" type="button" data-command="unlink">
      Remove the link
    </button>
  </div>
)

/** Renders the blocks of a text for the editor: their sources, and their elements in a `template`, in which nothing runs. */
const Blocks = ({ content }: { content: string }) => {
  const blocks = topBlocks(content)
  return (
    <>
      <script type="application/json" id="sources">
        {raw(JSON.stringify(blocks).replaceAll('<', '\\u003c'))}
      </script>
      <template id="blocks">
        {blocks.map(([html]) => (
          <div>{raw(html)}</div>
        ))}
      </template>
    </>
  )
}

/**
 * Shows the page on which a person edits an article's text. Without scripts, or with `?as=html`, it is a form with the
 * HTML.
 */
export const editPage = async (c: PagesContext, front: SiteFront) => {
  const { site, article } = await load(c, front, '')
  const asHtml = c.req.query('as') === 'html'
  return await show(c, front, {
    title: `Edit: ${article.title || article.mainKeyword}`,
    menu: true,
    page: 'articles',
    site: site.id,
    ...(asHtml ? {} : { script: EDITOR_JS, isEditor: true, frames: true }),
    actions: <a href={pathOf(c)}>Back to the article</a>,
    body: (
      <section class="card">
        <TextForm
          c={c}
          article={article}
          tag={etagOf(article.updatedAt, article.revision)}
          typed={{ title: article.title, meta_description: article.metaDescription, content: article.content }}
          editor={
            asHtml ? undefined : (
              <>
                <div data-with-script hidden class="stack">
                  <div class="notice warn" id="draft" hidden>
                    <p>
                      This browser has text of <span id="draft-at" /> that was not saved.
                    </p>
                    <div class="row">
                      <button class="plain" type="button" data-draft="restore">
                        Bring it back
                      </button>
                      <button class="plain" type="button" data-draft="discard">
                        Discard it
                      </button>
                    </div>
                  </div>
                  <Bar />
                  <div id="editor" class="paper" />
                  <p id="editor-said" class="hint" role="status" />
                  <details id="live">
                    <summary>Preview while you write</summary>
                  </details>
                  <p class="hint">
                    A block that you do not touch keeps its HTML exactly.{' '}
                    <a href={pathOf(c, '/edit?as=html')}>Edit the saved text as HTML instead</a>
                  </p>
                </div>
                <input type="hidden" name="content_json" value="" />
                <Blocks content={article.content} />
              </>
            )
          }
        />
        {!asHtml && (
          <form id="live-form" method="post" action={pathOf(c, '/preview')} hidden>
            <input type="hidden" name="title" value="" />
            <input type="hidden" name="content_json" value="" />
          </form>
        )}
        {isLive(article) && <p class="in hint">The article is on your site: what you save is sent there.</p>}
      </section>
    ),
  })
}
