import { baseKeymap, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { mark, nodeType } from './parts.ts'
import { addColumn, addRow, insertTable, moveCell, removeColumn, removeRow, removeTable } from './tables.ts'

const [item, paragraph, heading] = [nodeType('list_item'), nodeType('paragraph'), nodeType('heading')]

const first =
  (...commands: Command[]): Command =>
  (state, dispatch, view) =>
    commands.some((command) => command(state, dispatch, view))

const list = (name: string): Command => first(liftListItem(item), wrapInList(nodeType(name)))

const insert =
  (name: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeType(name).create()).scrollIntoView())
    return true
  }

/** Returns the command that makes paragraphs of a style: `p` for text, else the level of a heading. */
export const styled = (style: string): Command =>
  style === 'p' ? setBlockType(paragraph) : setBlockType(heading, { level: Number(style) })

/** Commands of the toolbar's buttons, by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  bold: toggleMark(mark('strong')),
  italic: toggleMark(mark('em')),
  code: toggleMark(mark('code')),
  bullets: list('bullet_list'),
  numbers: list('ordered_list'),
  quote: first(lift, wrapIn(nodeType('blockquote'))),
  divider: insert('divider'),
  undo,
  redo,
  table: insertTable,
  'row-add': addRow,
  'row-remove': removeRow,
  'column-add': addColumn,
  'column-remove': removeColumn,
  'table-remove': removeTable,
}

const rules = inputRules({
  rules: [
    wrappingInputRule(/^\s*([-*])\s$/, nodeType('bullet_list')),
    wrappingInputRule(/^(\d+)\.\s$/, nodeType('ordered_list')),
    wrappingInputRule(/^\s*>\s$/, nodeType('blockquote')),
    textblockTypeInputRule(/^(#{2,4})\s$/, heading, (match) => ({ level: match[1]?.length ?? 2 })),
  ],
})

const command = (name: string): Command => COMMANDS[name] as Command

/** Returns the plugins of the keys. `more`: keys of the page. */
export const keyPlugins = (more: Readonly<Record<string, Command>>): Plugin[] => [
  history(),
  rules,
  keymap({
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Mod-b': command('bold'),
    'Mod-i': command('italic'),
    'Mod-Alt-0': styled('p'),
    'Mod-Alt-2': styled('2'),
    'Mod-Alt-3': styled('3'),
    'Mod-Alt-4': styled('4'),
    Tab: moveCell(1),
    'Shift-Tab': moveCell(-1),
    Enter: splitListItem(item),
    'Shift-Enter': insert('hard_break'),
    'Mod-[': liftListItem(item),
    'Mod-]': sinkListItem(item),
    ...more,
  }),
  keymap(baseKeymap),
]
