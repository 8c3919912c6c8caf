import { NodeSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { COMMANDS, styled } from './commands.ts'
import { element, mark, nodeType, say } from './parts.ts'
import { isInTable } from './tables.ts'

const MARKS = ['strong', 'em', 'code'] as const

/** Returns an address that a browser can open: a path, or one with a scheme. */
const addressOf = (typed: string): string =>
  typed === '' || /^([a-z][a-z0-9+.-]*:|[/#?.])/i.test(typed) ? typed : `https://${typed}`

const setLink = (view: EditorView, href: string): void => {
  const { from, to, empty } = view.state.selection
  if (empty) {
    say('Select the words of the link first.')
    return
  }
  const tr = view.state.tr.removeMark(from, to, mark('a'))
  view.dispatch(href === '' ? tr : tr.addMark(from, to, mark('a').create({ of: { href } })))
  say(href === '' ? 'The link is removed.' : 'The link is set.')
  view.focus()
}

/** Starts the toolbar. Returns the function that shows the state of the selection in it. */
export const startBar = (view: EditorView): (() => void) => {
  const bar = element('#bar')
  const style = element<HTMLSelectElement>('#style')
  const link = element<HTMLInputElement>('#link')
  const table = element('#table-tools')
  const picture = element('#picture-tools')
  const alt = element<HTMLInputElement>('#alt')

  bar.addEventListener('mousedown', (event) => {
    // Keeps the selection in the text when a button is pressed.
    if ((event.target as HTMLElement).closest('button')) event.preventDefault()
  })
  bar.addEventListener('click', (event) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>('button[data-command]')
    if (!button) return
    const { command = '' } = button.dataset
    if (command === 'link') return setLink(view, addressOf(link.value.trim()))
    if (command === 'unlink') return setLink(view, '')
    const run = COMMANDS[command]
    if (!run) return
    if (!run(view.state, view.dispatch, view) && !table.hidden)
      say('That cannot be done in this table, because cells of it are joined.')
    view.focus()
  })
  style.addEventListener('change', () => {
    styled(style.value)(view.state, view.dispatch, view)
    view.focus()
  })
  link.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    setLink(view, addressOf(link.value.trim()))
  })
  alt.addEventListener('input', () => {
    const { selection, tr } = view.state
    if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return
    const of = { ...selection.node.attrs.of, alt: alt.value }
    tr.setNodeMarkup(selection.from, undefined, { ...selection.node.attrs, of })
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)))
  })

  return () => {
    const { selection, storedMarks, doc } = view.state
    const { $from, from, to, empty } = selection
    const { type, attrs } = $from.parent
    style.value = type === nodeType('heading') ? String(attrs.level) : 'p'
    for (const name of MARKS) {
      const which = mark(name)
      const isOn = empty ? which.isInSet(storedMarks ?? $from.marks()) : doc.rangeHasMark(from, to, which)
      bar.querySelector(`button[data-mark=${name}]`)?.setAttribute('aria-pressed', String(Boolean(isOn)))
    }
    const active = document.activeElement
    if (active !== link) {
      const set = $from.marks().find((one) => one.type === mark('a'))
      link.value = (set?.attrs.of as Record<string, string> | undefined)?.href ?? ''
    }
    table.hidden = !isInTable(view.state)
    const shown =
      selection instanceof NodeSelection && selection.node.type.name === 'image' ? selection.node : undefined
    picture.hidden = shown === undefined
    if (shown && active !== alt) alt.value = (shown.attrs.of as Record<string, string>).alt ?? ''
  }
}
