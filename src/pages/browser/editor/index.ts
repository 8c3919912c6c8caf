import type { Node } from 'prosemirror-model'
import { type Command, EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { picturesUnderWay } from '../host-picture.ts'
import { startBar } from './bar.ts'
import { htmlOf, readBlocks, type Source } from './blocks.ts'
import { keyPlugins } from './commands.ts'
import { Drafts, type Written } from './drafts.ts'
import { element, fieldOf, nodeType, say } from './parts.ts'
import { Paste } from './paste/index.ts'
import { Pictures, withoutText } from './pictures.ts'
import { startPreview } from './preview.ts'
import { RawBlock } from './raw.ts'
import { schema } from './schema.ts'
import { startSettings } from './settings.ts'

/** Wait after the last change before the browser stores a draft, in milliseconds. */
const KEEP_AFTER_MS = 2_000

/** Parts of the window that stay covered while a long text scrolls, in pixels. */
const COVERED = { top: 140, bottom: 80, left: 0, right: 0 }

const form = element<HTMLFormElement>('form[data-editor]')
const area = element<HTMLTextAreaElement>('form[data-editor] textarea')
const elements = [...element<HTMLTemplateElement>('#blocks').content.children]
const sources = JSON.parse(element('#sources').textContent ?? '[]') as Source[]
const read = readBlocks(elements)
/** Path of the article. The page itself has another one if the text was refused. */
const { pathname } = new URL(form.action)
const drafts = new Drafts(pathname, {
  person: form.dataset.person ?? '',
  id: fieldOf(form, 'draft').value,
  version: fieldOf(form, 'version').value,
})

const save: Command = () => {
  form.requestSubmit()
  return true
}

const pictures = new Pictures(`${pathname}/pictures`, element<HTMLInputElement>('#picture-file'))
const paste = new Paste(pictures, `${pathname}/markdown`)

const docOf = (blocks: readonly Node[]): Node =>
  schema.node('doc', null, blocks.length > 0 ? blocks : [nodeType('paragraph').create()])

/** True if something was typed that neither this browser nor the service keeps. */
let isDirty = false
/** True if something was typed on this page. */
let isTyped = false
let keeping: ReturnType<typeof setTimeout> | undefined

const written = (): Written => ({
  title: fieldOf(form, 'title').value,
  meta_description: fieldOf(form, 'meta_description').value,
  content: htmlOf(view.state.doc, read, sources),
})

const keepNow = (): void => {
  clearTimeout(keeping)
  if (isDirty) isDirty = !drafts.keep(written())
}

const keepSoon = (): void => {
  isDirty = true
  isTyped = true
  clearTimeout(keeping)
  keeping = setTimeout(keepNow, KEEP_AFTER_MS)
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
let isSending = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (isSending) return
  if (picturesUnderWay() > 0) return say('A picture is still being sent. Save again when it is there.')
  void send()
})

/** Sends the form. What was typed is kept before: the session or the database may be away. */
const send = async (): Promise<void> => {
  isSending = true
  clearTimeout(keeping)
  const isKept = isTyped ? await drafts.finish(written()) : fieldOf(form, 'draft').value !== ''
  fieldOf(form, 'content_json').value = textSent()
  fieldOf(form, 'draft').value = isKept ? drafts.id : ''
  area.disabled = true
  isDirty = false
  isSet = false
  form.submit()
}
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepNow()
})
// Before a person signs out, the text is in the store of this browser, and from there sent to the service.
addEventListener('submit', ({ target }) => (target === form ? undefined : keepNow()), { capture: true })
// The form can be sent again when the person returns from the next page.
addEventListener('pageshow', () => {
  area.disabled = false
  isSending = false
})
// A draft has no settings.
let isSet = false
startSettings(`${pathname}/pictures`, () => {
  isSet = true
})
addEventListener('beforeunload', (event) => {
  if (isDirty || isSet) event.preventDefault()
})
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 's' && !event.defaultPrevented) {
    event.preventDefault()
    form.requestSubmit()
  }
})

void drafts.offerOwn(element('#draft').dataset.saved ?? '')

area.closest('label')?.setAttribute('hidden', '')
for (const hidden of document.querySelectorAll<HTMLElement>('[data-with-script]')) hidden.hidden = false
drawCount(view.state.doc)
drawBar()
