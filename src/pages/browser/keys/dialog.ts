/** Returns a new element with attributes and children. Nothing is parsed, so the pages' policy of trusted types allows it. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** Opens a dialog. Esc closes it, and the browser puts the focus back where it was. */
export const openDialog = (label: string, ...children: Node[]): void => {
  const dialog = el('dialog', { 'aria-label': label, class: 'keys', closedby: 'any' }, ...children)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
