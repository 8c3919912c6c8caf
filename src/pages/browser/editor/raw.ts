import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'

/**
 * View of a block that cannot be edited: its text and pictures. Frames and players are left out, because this page does
 * not load them.
 */
export class RawBlock implements NodeView {
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
