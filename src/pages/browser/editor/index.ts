import type { Node } from 'prosemirror-model'
import { type Command, EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { startBar } from './bar.ts'
import { htmlOf, readBlocks, type Source } from './blocks.ts'
import { keyPlugins } from './commands.ts'
import { Drafts, type Written } from './drafts.ts'
import { element, fieldOf, nodeType, say } from './parts.ts'
import { Paste } from './paste/index.ts'
import { Pictures, picturesUnderWay, withoutText } from './pictures.ts'
import { startPreview } from './preview.ts'
import { RawBlock } from './raw.ts'
import { schema } from './schema.ts'

/** Wait after the last change before the browser stores a draft, in milliseconds. */
const KEEP_AFTER_MS = 2_000

/** Parts of the window that stay covered while a long text scrolls, in pixels. */
const COVERED = { top: 140, bottom: 80, left: 0, right: 0 }

const form = element<HTMLFormElement>('form[data-editor]')
const area = element<HTMLTextAreaElement>('form[data-editor] textarea')
const elements = [...element<HTMLTemplateElement>('#blocks').content.children]
const sources = JSON.parse(element('#sources').textContent ?? '[]') as Source[]
const read = readBlocks(elements)
const drafts = new Drafts(location.pathname)
const under = (path: string): string => location.pathname.replace(/\/edit$/, path)

const save: Command = () => {
  form.requestSubmit()
  return true
}

const pictures = new Pictures(under('/pictures'), element<HTMLInputElement>('#picture-file'))
const paste = new Paste(pictures, under('/markdown'))

const docOf = (blocks: readonly Node[]): Node =>
  schema.node('doc', null, blocks.length > 0 ? blocks : [nodeType('paragraph').create()])

let isDirty = false
let keeping: ReturnType<typeof setTimeout> | undefined

const written = (): Written => ({
  title: fieldOf(form, 'title').value,
  about: fieldOf(form, 'meta_description').value,
  doc: view.state.doc,
})

const keepSoon = (): void => {
  isDirty = true
  clearTimeout(keeping)
  keeping = setTimeout(() => drafts.keep(written()), KEEP_AFTER_MS)
}

/** Returns the text as JSON for a form. Browsers change line ends in plain form fields; JSON keeps the bytes. */
const textSent = (): string => JSON.stringify(htmlOf(view.state.doc, read, sources))

const previewSoon = startPreview(() => fieldOf(form, 'title').value, textSent)

const count = element('#editor-words')
const undescribed = element<HTMLButtonElement>('#editor-undescribed')

/** Shows the number of words, and of pictures without a description. */
const drawCount = (doc: Node): void => {
  const words = doc.textBetween(0, doc.content.size, ' ', ' ').match(/\S+/g)?.length ?? 0
  count.textContent = `${words.toLocaleString()} ${words === 1 ? 'word' : 'words'}`
  const pictures = withoutText(doc).length
  undescribed.hidden = pictures === 0
  undescribed.textContent = `${pictures === 1 ? 'A picture has' : `${pictures} pictures have`} no description`
}

let drawBar = (): void => {}

const view: EditorView = new EditorView(element('#editor'), {
  state: EditorState.create({ doc: docOf(read), plugins: [...keyPlugins({ 'Mod-s': save }), pictures.plugin()] }),
  attributes: { 'aria-label': 'Text', role: 'textbox', 'aria-multiline': 'true', dir: 'auto', spellcheck: 'true' },
  // The toolbar covers the top of the page, and Save the bottom.
  scrollMargin: COVERED,
  scrollThreshold: COVERED,
  clipboardParser: paste.parser(),
  handlePaste: (of, event) => paste.take(of, event),
  nodeViews: { raw: (node) => new RawBlock(node, elements) },
  dispatchTransaction(transaction) {
    view.updateState(view.state.apply(transaction))
    drawBar()
    if (!transaction.docChanged) return
    keepSoon()
    drawCount(view.state.doc)
    previewSoon()
    if (/^(paste|drop)$/.test(String(transaction.getMeta('uiEvent')))) paste.finish()
  },
})
pictures.start(view)
drawBar = startBar(view)

element('#picture-add').addEventListener('click', () => pictures.choose())
undescribed.addEventListener('click', () => pictures.nextWithoutText())
form.addEventListener('input', () => {
  keepSoon()
  previewSoon()
})
form.addEventListener('submit', (event) => {
  if (picturesUnderWay() > 0) {
    event.preventDefault()
    return say('A picture is still being sent. Save again when it is there.')
  }
  fieldOf(form, 'content_json').value = textSent()
  area.disabled = true
  isDirty = false
  clearTimeout(keeping)
  fieldOf(form, 'draft').value = drafts.id
  // It stays until the service says that it was saved: the session or the database may be away.
  drafts.keep(written())
})
// The form can be sent again when the person returns from the next page.
addEventListener('pageshow', () => {
  area.disabled = false
})
addEventListener('beforeunload', (event) => {
  if (isDirty) event.preventDefault()
})
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 's' && !event.defaultPrevented) {
    event.preventDefault()
    form.requestSubmit()
  }
})

drafts.offer(written(), element('#draft').dataset.saved ?? '', ({ title, about, doc }) => {
  fieldOf(form, 'title').value = title
  fieldOf(form, 'meta_description').value = about
  view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, doc.content))
  view.focus()
})

area.closest('label')?.setAttribute('hidden', '')
for (const hidden of document.querySelectorAll<HTMLElement>('[data-with-script]')) hidden.hidden = false
drawCount(view.state.doc)
drawBar()
