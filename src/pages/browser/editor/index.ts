import { baseKeymap, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { Node, type NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, EditorState } from 'prosemirror-state'
import { EditorView, type NodeView } from 'prosemirror-view'
import { htmlOf, readBlocks, type Source } from './blocks.ts'
import { pasteParser, schema } from './schema.ts'

/** Wait after the last change before the browser stores a draft, in milliseconds. */
const KEEP_AFTER_MS = 2_000
/** Wait after the last change before the preview is updated, in milliseconds. */
const PREVIEW_AFTER_MS = 400

const nodeType = (name: string): NodeType => {
  const type = schema.nodes[name]
  if (!type) throw new Error(`The schema has no ${name}.`)
  return type
}
const mark = (name: string) => {
  const type = schema.marks[name]
  if (!type) throw new Error(`The schema has no ${name}.`)
  return type
}

const [item, paragraph, heading] = ['list_item', 'paragraph', 'heading'].map(nodeType) as [NodeType, NodeType, NodeType]

const first =
  (...commands: Command[]): Command =>
  (state, dispatch, view) =>
    commands.some((command) => command(state, dispatch, view))

const list = (name: string): Command => first(liftListItem(item), wrapInList(nodeType(name)))

const insertDivider: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('divider').create()).scrollIntoView())
  return true
}

const COMMANDS: Readonly<Record<string, Command>> = {
  bold: toggleMark(mark('strong')),
  italic: toggleMark(mark('em')),
  code: toggleMark(mark('code')),
  bullets: list('bullet_list'),
  numbers: list('ordered_list'),
  quote: first(lift, wrapIn(nodeType('blockquote'))),
  divider: insertDivider,
  undo,
  redo,
}

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hard_break').create()).scrollIntoView())
  return true
}

const element = <T extends HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (!found) throw new Error(`The page has no ${selector}.`)
  return found
}

/**
 * View of a block that cannot be edited: its text and pictures. Frames and players are left out, because this page does
 * not load them.
 */
class RawBlock implements NodeView {
  dom = document.createElement('div')
  constructor(node: Node, elements: readonly Element[]) {
    this.dom.className = 'raw'
    const note = document.createElement('p')
    note.className = 'hint'
    note.textContent = 'Kept as it is. It can be moved and deleted here, and changed as HTML.'
    const shown = elements[Number(node.attrs.block)]?.cloneNode(true) as Element | undefined
    for (const player of shown?.querySelectorAll('iframe, video, audio, picture source, track') ?? []) {
      const name = document.createElement('p')
      name.textContent = player.getAttribute('src') ?? player.nodeName.toLowerCase()
      player.replaceWith(name)
    }
    this.dom.append(note, ...(shown ? [shown] : []))
  }
  ignoreMutation(): boolean {
    return true
  }
}

const form = element<HTMLFormElement>('form[data-editor]')
const area = element<HTMLTextAreaElement>('form[data-editor] textarea')
const bar = element<HTMLElement>('#bar')
const said = element<HTMLElement>('#editor-said')
const elements = [...element<HTMLTemplateElement>('#blocks').content.children]
const sources = JSON.parse(element('#sources').textContent ?? '[]') as Source[]
const read = readBlocks(elements)
const draftKey = `galley-draft ${location.pathname} ${element<HTMLInputElement>('form[data-editor] input[name=version]').value}`

const rules = inputRules({
  rules: [
    wrappingInputRule(/^\s*([-*])\s$/, nodeType('bullet_list')),
    wrappingInputRule(/^(\d+)\.\s$/, nodeType('ordered_list')),
    wrappingInputRule(/^\s*>\s$/, nodeType('blockquote')),
    textblockTypeInputRule(/^(#{2,4})\s$/, heading, (match) => ({ level: match[1]?.length ?? 2 })),
  ],
})

const save: Command = () => {
  form.requestSubmit()
  return true
}

const plugins = [
  history(),
  rules,
  keymap({
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Mod-b': COMMANDS.bold as Command,
    'Mod-i': COMMANDS.italic as Command,
    'Mod-s': save,
    Enter: splitListItem(item),
    'Shift-Enter': insertBreak,
    'Mod-[': liftListItem(item),
    'Mod-]': sinkListItem(item),
  }),
  keymap(baseKeymap),
]

const docOf = (blocks: readonly Node[]): Node =>
  schema.node('doc', null, blocks.length > 0 ? blocks : [paragraph.create()])

let isDirty = false
let keeping: ReturnType<typeof setTimeout> | undefined

const keepDraft = (): void => {
  localStorage.setItem(draftKey, JSON.stringify({ at: Date.now(), doc: view.state.doc.toJSON() }))
}

const live = element<HTMLDetailsElement>('#live')
const liveForm = element<HTMLFormElement>('#live-form')
let previewing: ReturnType<typeof setTimeout> | undefined
let previews = 0

const fieldOf = (of: HTMLFormElement, name: string): HTMLInputElement => of.elements.namedItem(name) as HTMLInputElement

/** Returns the text as JSON for a form. Browsers change line ends in plain form fields; JSON keeps the bytes. */
const textSent = (): string => JSON.stringify(htmlOf(view.state.doc, read, sources))

/**
 * Shows the article as the service would publish it. Each preview uses a new frame, so the browser's back button is not
 * affected.
 */
const showPreview = (): void => {
  const frame = document.createElement('iframe')
  previews += 1
  frame.name = `preview-${previews}`
  frame.className = 'paper'
  frame.title = 'Preview'
  frame.hidden = true
  frame.addEventListener('load', () => {
    // The script can read the empty page that a frame starts with, but not the preview.
    if (frame.contentDocument !== null || !frame.isConnected) return
    while (frame.previousElementSibling instanceof HTMLIFrameElement) frame.previousElementSibling.remove()
    frame.hidden = false
  })
  live.append(frame)
  fieldOf(liveForm, 'title').value = fieldOf(form, 'title').value
  fieldOf(liveForm, 'content_json').value = textSent()
  liveForm.target = frame.name
  liveForm.submit()
}

const previewSoon = (): void => {
  clearTimeout(previewing)
  if (live.open) previewing = setTimeout(showPreview, PREVIEW_AFTER_MS)
}

const view: EditorView = new EditorView(element('#editor'), {
  state: EditorState.create({ doc: docOf(read), plugins }),
  attributes: { 'aria-label': 'Text', role: 'textbox', 'aria-multiline': 'true', dir: 'auto', spellcheck: 'true' },
  clipboardParser: pasteParser,
  nodeViews: { raw: (node) => new RawBlock(node, elements) },
  dispatchTransaction(transaction) {
    view.updateState(view.state.apply(transaction))
    drawBar()
    if (!transaction.docChanged) return
    isDirty = true
    clearTimeout(keeping)
    keeping = setTimeout(keepDraft, KEEP_AFTER_MS)
    previewSoon()
  },
})

const style = element<HTMLSelectElement>('#style')
const link = element<HTMLInputElement>('#link')

/** Shows which text style and link the selection has. */
const drawBar = (): void => {
  const { $from, from, to, empty } = view.state.selection
  const { type, attrs } = $from.parent
  style.value = type === heading ? String(attrs.level) : 'p'
  for (const button of bar.querySelectorAll<HTMLButtonElement>('button[data-mark]')) {
    const which = mark(button.dataset.mark ?? '')
    const isOn = empty
      ? which.isInSet(view.state.storedMarks ?? $from.marks())
      : view.state.doc.rangeHasMark(from, to, which)
    button.setAttribute('aria-pressed', String(Boolean(isOn)))
  }
  if (document.activeElement !== link) {
    const set = $from.marks().find((one) => one.type === mark('a'))
    link.value = (set?.attrs.of as Record<string, string> | undefined)?.href ?? ''
  }
}

const run = (command: Command): void => {
  command(view.state, view.dispatch, view)
  view.focus()
}

const setLink = (href: string): void => {
  const { from, to, empty } = view.state.selection
  if (empty) {
    said.textContent = 'Select the words of the link first.'
    return
  }
  const tr = view.state.tr.removeMark(from, to, mark('a'))
  view.dispatch(href === '' ? tr : tr.addMark(from, to, mark('a').create({ of: { href } })))
  said.textContent = href === '' ? 'The link is removed.' : 'The link is set.'
  view.focus()
}

bar.addEventListener('mousedown', (event) => {
  // Keeps the selection in the text when a button is pressed.
  if ((event.target as HTMLElement).closest('button')) event.preventDefault()
})
bar.addEventListener('click', (event) => {
  const button = (event.target as HTMLElement).closest<HTMLButtonElement>('button')
  if (!button) return
  const { command = '' } = button.dataset
  if (command === 'link') setLink(link.value.trim())
  else if (command === 'unlink') setLink('')
  else if (COMMANDS[command]) run(COMMANDS[command])
})
style.addEventListener('change', () =>
  run(style.value === 'p' ? setBlockType(paragraph) : setBlockType(heading, { level: Number(style.value) })),
)
link.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  setLink(link.value.trim())
})

live.addEventListener('toggle', () => {
  if (live.open) showPreview()
})
form.addEventListener('input', (event) => {
  if (event.target === link || event.target === style) return
  isDirty = true
  previewSoon()
})
form.addEventListener('submit', () => {
  fieldOf(form, 'content_json').value = textSent()
  area.disabled = true
  isDirty = false
  clearTimeout(keeping)
  keepDraft()
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

const kept = localStorage.getItem(draftKey)
const draft = element<HTMLElement>('#draft')
if (kept) {
  const { at, doc } = JSON.parse(kept) as { at: number; doc: unknown }
  const found = Node.fromJSON(schema, doc)
  if (found.eq(view.state.doc)) localStorage.removeItem(draftKey)
  else {
    draft.hidden = false
    element('#draft-at').textContent = new Date(at).toLocaleString()
    draft.addEventListener('click', (event) => {
      const { draft: choice } = (event.target as HTMLElement).dataset
      if (choice === 'restore') {
        view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, found.content))
        said.textContent = 'The text that was not saved is back.'
      } else if (choice === 'discard') localStorage.removeItem(draftKey)
      else return
      draft.hidden = true
      view.focus()
    })
  }
}

area.closest('label')?.setAttribute('hidden', '')
for (const hidden of document.querySelectorAll<HTMLElement>('[data-with-script]')) hidden.hidden = false
drawBar()
