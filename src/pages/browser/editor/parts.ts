import type { MarkType, NodeType } from 'prosemirror-model'
import { schema } from './schema.ts'

/** Returns a node type of the schema. */
export const nodeType = (name: string): NodeType => {
  const type = schema.nodes[name]
  if (!type) throw new Error(`The schema has no ${name}.`)
  return type
}

/** Returns a mark type of the schema. */
export const mark = (name: string): MarkType => {
  const type = schema.marks[name]
  if (!type) throw new Error(`The schema has no ${name}.`)
  return type
}

/** Returns the first element of the page for a selector. */
export const element = <T extends HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (!found) throw new Error(`The page has no ${selector}.`)
  return found
}

/** Returns a field of a form. */
export const fieldOf = (of: HTMLFormElement, name: string): HTMLInputElement =>
  of.elements.namedItem(name) as HTMLInputElement

/** Shows a message below the toolbar, which screen readers announce. */
export const say = (text: string): void => {
  element('#editor-said').textContent = text
}
