import { raw } from 'hono/html'
import type { SafeContent } from '../../../content/articles/content.ts'
import { topBlocks } from '../../../content/html/blocks.ts'
import { etagOf } from '../../../platform/lib/etag.ts'
import { EDITOR_JS } from '../../editor.generated.ts'
import { type PagesContext, show } from '../../front.tsx'
import type { SiteFront } from '../front.ts'
import { DraftOffer, differs, draftIn, type KeptDraft, safeText } from './draft.tsx'
import { savedDraft } from './forms.ts'
import { type Loaded, load, pathOf } from './load.ts'
import { TextForm, type Typed } from './text.tsx'

type Button = readonly [command: string, label: string, about: string, mark?: string]

const BUTTONS: readonly Button[] = [
  ['bold', 'Bold', 'Ctrl or ⌘ B', 'strong'],
  ['italic', 'Italic', 'Ctrl or ⌘ I', 'em'],
  ['code', 'Code', 'A name or command, as in a program', 'code'],
  ['bullets', 'Bullets', 'Or write - and a blank'],
  ['numbers', 'Numbers', 'Or write 1. and a blank'],
  ['quote', 'Quote', 'Or write > and a blank'],
  ['divider', 'Line', 'A line across'],
  ['table', 'Table', 'Three columns, with headings'],
  ['undo', 'Undo', 'Ctrl or ⌘ Z'],
  ['redo', 'Redo', 'Ctrl or ⌘ Y'],
]

const TABLE_BUTTONS: readonly Button[] = [
  ['row-add', 'Add a row', 'Tab in the last cell adds one too'],
  ['row-remove', 'Remove the row', 'The row of the cursor'],
  ['column-add', 'Add a column', 'Right of the cursor'],
  ['column-remove', 'Remove the column', 'The column of the cursor'],
  ['table-remove', 'Remove the table', 'The whole table'],
]

const Buttons = ({ of }: { of: readonly Button[] }) => (
  <>
    {of.map(([command, label, about, mark]) => (
      <button
        class="plain"
        type="button"
        title={about}
        data-command={command}
        data-mark={mark}
        aria-pressed={mark === undefined ? undefined : 'false'}
      >
        {label}
      </button>
    ))}
  </>
)

const Bar = () => (
  <div id="bar">
    <div class="row tools" role="toolbar" aria-label="Formatting">
      <select id="style" aria-label="Style of the paragraph">
        <option value="p">Text</option>
        <option value="2">Heading 2</option>
        <option value="3">Heading 3</option>
        <option value="4">Heading 4</option>
      </select>
      <Buttons of={BUTTONS} />
      <button class="plain" type="button" id="picture-add" title="Or drop it into the text, or paste it">
        Picture
      </button>
      <input id="link" type="text" inputmode="url" placeholder="https://" aria-label="Address of the link" />
      <button class="plain" type="button" data-command="link">
        Link
      </button>
      <button class="plain" type="button" data-command="unlink">
        Remove the link
      </button>
    </div>
    <div class="row tools" id="table-tools" role="toolbar" aria-label="Table" hidden>
      <Buttons of={TABLE_BUTTONS} />
    </div>
    <div class="row tools" id="picture-tools" hidden>
      <label for="alt">What the picture shows</label>
      <input id="alt" type="text" maxlength={1_000} autocomplete="off" />
    </div>
    <p id="editor-said" class="hint" role="status" />
  </div>
)

const KEYS = [
  ['Ctrl or ⌘ + S', 'save'],
  ['Ctrl or ⌘ + B, I', 'bold, italic'],
  ['Ctrl or ⌘ + Alt + 2, 3, 4, 0', 'a heading of that level; text'],
  ['## and a blank', 'a heading'],
  ['-, 1. or > and a blank', 'bullets, numbers or a quotation'],
  ['Ctrl or ⌘ + ], [', 'a point of a list further in or out'],
  ['Tab', 'the next cell of a table'],
  ['Shift + Enter', 'a new line in the same paragraph'],
  ['Ctrl or ⌘ + Z, Y', 'undo, redo'],
] as const

/** Renders the editor, which its script shows. No control of it is in the form of the text. */
const Editor = ({ c, content }: { c: PagesContext; content: string }) => (
  <div data-with-script hidden class="stack in" id="write-here">
    <Bar />
    <input
      id="picture-file"
      type="file"
      accept="image/jpeg,image/png,image/webp,image/gif"
      aria-label="Picture"
      multiple
      hidden
    />
    <div id="editor" class="paper" />
    <div class="row">
      <span class="hint" id="editor-words" />
      <span class="hint" id="editor-kept" role="status" />
      <button class="plain" type="button" id="editor-undescribed" hidden />
    </div>
    <details id="live">
      <summary>Preview while you write</summary>
      <div class="row">
        <button class="plain" type="button" data-device="desktop" aria-pressed="true">
          Desktop
        </button>
        <button class="plain" type="button" data-device="phone" aria-pressed="false">
          Phone
        </button>
        <span class="hint">The text as readers get it, without the design of your site.</span>
      </div>
      <div id="live-frames" data-device="desktop" />
    </details>
    <details>
      <summary>Keys of the editor</summary>
      <dl>
        {KEYS.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
    </details>
    <p class="hint">
      A block that you do not touch keeps its HTML exactly.{' '}
      <a href={pathOf(c, '/edit?as=html')}>Edit the saved text as HTML instead</a>
    </p>
    <Blocks content={content} />
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

/** Content of a page of the editor. */
type Shown = {
  loaded: Loaded
  typed: Typed
  /** Version that the person edits. */
  tag: string
  /** True for a form with the HTML instead of the editor. */
  asHtml: boolean
  /** Text that is offered. */
  offer?: KeptDraft | undefined
  /** Reason that the text was not saved. */
  why?: string
}

const editorPage = async (
  c: PagesContext,
  front: SiteFront,
  { loaded: { site, article }, typed, tag, asHtml, offer, why }: Shown,
) =>
  await show(c, front, {
    title: `Edit: ${article.title || article.mainKeyword}`,
    menu: true,
    page: 'articles',
    site: site.id,
    ...(asHtml ? {} : { script: EDITOR_JS, isEditor: true, frames: true }),
    ...(why === undefined ? {} : { status: 400, notice: { tone: 'bad', text: why } }),
    actions: <a href={pathOf(c)}>Back to the article</a>,
    body: (
      <>
        <DraftOffer c={c} draft={offer} article={article} saved={savedDraft(c)} />
        <TextForm
          c={c}
          article={article}
          tag={tag}
          typed={typed}
          editor={asHtml ? undefined : <Editor c={c} content={typed.content} />}
        />
        {!asHtml && (
          <form id="live-form" method="post" action={pathOf(c, '/preview')} hidden>
            <input type="hidden" name="title" value="" />
            <input type="hidden" name="content_json" value="" />
          </form>
        )}
      </>
    ),
  })

/** Returns the draft as the form's text. Without the safe HTML it is for the form with the HTML. */
const typedIn = (draft: KeptDraft, safe: SafeContent | undefined): Typed => ({
  draft: draft.draftId,
  title: draft.title,
  meta_description: draft.metaDescription,
  content: safe?.html ?? draft.content,
})

/**
 * Shows the page on which a person edits an article's text. Without scripts, or with `?as=html`, it is a form with the
 * HTML.
 *
 * A text of the person that was not saved is offered. `?draft=` shows it in the form, as a change of the version in the
 * query or of the version that it began from.
 */
export const editPage = async (c: PagesContext, front: SiteFront) => {
  const [loaded, draft] = await Promise.all([load(c, front, ''), draftIn(c, front)])
  const { article } = loaded
  const safe = draft && (await safeText(c, front, draft.content))
  const isAsked = c.req.query('draft')
  const asHtml = c.req.query('as') === 'html'
  if (draft && isAsked !== undefined)
    return await editorPage(c, front, {
      loaded,
      typed: typedIn(draft, safe),
      tag: isAsked || draft.version,
      asHtml: asHtml || safe === undefined,
    })
  const isOffered = draft !== undefined && differs(draft, safe, article)
  return await editorPage(c, front, {
    loaded,
    tag: etagOf(article.updatedAt, article.revision),
    typed: {
      // A kept text without a difference is no reason to keep a new one from its place.
      draft: draft && !isOffered ? draft.draftId : '',
      title: article.title,
      meta_description: article.metaDescription,
      content: article.content,
    },
    asHtml,
    offer: isOffered ? draft : undefined,
  })
}

/** Shows the typed text again, with the reason that it was not saved. */
export const refusedPage = async (c: PagesContext, front: SiteFront, typed: Typed, tag: string, why: string) => {
  const [loaded, safe] = await Promise.all([load(c, front, ''), safeText(c, front, typed.content)])
  return await editorPage(c, front, {
    loaded,
    typed: { ...typed, content: safe?.html ?? typed.content },
    tag,
    asHtml: safe === undefined,
    why,
  })
}
