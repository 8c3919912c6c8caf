/** Returns a new element with attributes and children. It parses no HTML, so the Trusted Types policy allows it. */
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

/** Opens and returns a modal dialog. Esc closes it, and the browser restores the focus. */
export const openDialog = (label: string, ...children: Node[]): HTMLDialogElement => {
  const dialog = el('dialog', { 'aria-label': label, class: 'keys', closedby: 'any' }, ...children)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Search result, as the server returns it. */
type Found = { kind: string; label: string; note: string; path: string }

const PAUSE_MS = 120

/** Opens the palette. It searches at `address` for the typed text, and Enter opens the marked result. */
export const openPalette = (address: string): void => {
  const list = el('div', { role: 'listbox', id: 'keys-found', 'aria-label': 'Found' })
  const said = el('p', { role: 'status', class: 'hint' })
  const input = el('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Find a page, a site or an article',
    'aria-controls': 'keys-found',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    placeholder: 'Find a page, a site or an article',
    autocomplete: 'off',
    maxlength: '200',
  })
  let at = 0
  let asking = new AbortController()
  let asked: Promise<void>

  const mark = (next: number) => {
    at = Math.max(0, Math.min(next, list.children.length - 1))
    for (const [n, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(n === at))
    const marked = list.children[at]
    input.setAttribute('aria-activedescendant', marked?.id ?? '')
    marked?.scrollIntoView({ block: 'nearest' })
  }

  const draw = (found: readonly Found[]) => {
    list.replaceChildren(
      ...found.map(({ kind, label, note, path }, n) =>
        el(
          'a',
          { role: 'option', id: `keys-found-${n}`, href: path, tabindex: '-1' },
          el('span', { dir: 'auto' }, label),
          el('small', {}, note === '' ? kind : `${kind}, ${note}`),
        ),
      ),
    )
    mark(0)
    said.textContent = found.length === 0 ? 'Nothing has these words.' : `${found.length} found`
  }

  const ask = async (signal: AbortSignal) => {
    await new Promise((done) => setTimeout(done, PAUSE_MS))
    if (signal.aborted) return
    try {
      const answer = await fetch(address + encodeURIComponent(input.value), { signal, redirect: 'error' })
      if (!answer.ok) throw new Error(String(answer.status))
      draw((await answer.json()) as Found[])
    } catch {
      if (signal.aborted) return
      list.replaceChildren()
      said.textContent = 'The search did not work. Open the page again, or try later.'
    }
  }
  const look = () => {
    asking.abort()
    asking = new AbortController()
    asked = ask(asking.signal)
  }

  input.addEventListener('input', look)
  input.addEventListener('keydown', async (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      mark(at + (event.key === 'ArrowDown' ? 1 : -1))
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    // The results for the last text may not have arrived yet.
    await asked
    ;(list.children[at] as HTMLElement | undefined)?.click()
  })
  openDialog('Find', input, list, said)
  look()
}
