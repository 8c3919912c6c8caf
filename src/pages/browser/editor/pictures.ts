import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { hostPicture } from '../host-picture.ts'
import { nodeType, say } from './parts.ts'
import { PASTED_PICTURE } from './paste/clean.ts'

/** Source of a picture that has no address of the service yet. */
type Source = { file: File } | { url: string } | { missing: string }
type Wanted = { source: Source; alt: string; title: string }
type Change = { add?: { at: number; box: HTMLElement; id: string }; remove?: string }

const places = new PluginKey<DecorationSet>('pictures')
let made = 0

const placeOf = (state: EditorState, id: string): number | undefined =>
  places.getState(state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from

/** Returns the file of a `data:` address. */
const fileOf = (address: string): File | undefined => {
  const [, type = '', body = ''] = /^data:(image\/[\w.+-]+);base64,(.*)$/is.exec(address) ?? []
  try {
    return type === ''
      ? undefined
      : new File([Uint8Array.from(atob(body), (one) => one.charCodeAt(0))], 'picture', { type })
  } catch {
    return undefined
  }
}

/** Pictures of one editor: those that are being sent, and those that are missing. */
export class Pictures {
  #view: EditorView | undefined
  readonly #path: string
  /** Element that chooses a file, and where the chosen file goes. */
  readonly #chooser: HTMLInputElement
  #chosenFor: string | undefined

  constructor(path: string, chooser: HTMLInputElement) {
    this.#path = path
    this.#chooser = chooser
    chooser.addEventListener('change', () => {
      const files = [...(chooser.files ?? [])]
      chooser.value = ''
      this.addFiles(files, this.#chosenFor)
    })
  }

  start(view: EditorView): void {
    this.#view = view
  }

  /** Asks for a file. `id`: the missing picture that it replaces. */
  choose(id?: string): void {
    this.#chosenFor = id
    this.#chooser.click()
  }

  /** Sends files, and puts their pictures where the cursor or a missing picture is. */
  addFiles(files: readonly File[], id?: string, at?: number): void {
    const view = this.#view
    if (!view) return
    const place = (id === undefined ? at : placeOf(view.state, id)) ?? view.state.selection.to
    if (id !== undefined && files.length > 0) this.#change({ remove: id })
    for (const file of files) this.#add(place, { source: { file }, alt: '', title: '' })
  }

  #change(change: Change): void {
    this.#view?.dispatch(this.#view.state.tr.setMeta(places, change))
  }

  /** Draws the box that stands for a picture until it is there. */
  #box(id: string, text: string): HTMLElement {
    const box = document.createElement('span')
    box.className = 'waiting'
    box.dataset.picture = id
    box.contentEditable = 'false'
    box.append(text)
    return box
  }

  #offerAgain(box: HTMLElement, id: string, text: string): void {
    const button = (label: string, run: () => void) => {
      const made = document.createElement('button')
      made.type = 'button'
      made.className = 'plain'
      made.textContent = label
      made.addEventListener('click', run)
      return made
    }
    box.replaceChildren(
      `${text} `,
      button('Choose the file', () => this.choose(id)),
      button('Leave it out', () => this.#change({ remove: id })),
    )
    box.classList.add('missing')
  }

  #add(at: number, wanted: Wanted): void {
    made += 1
    const id = String(made)
    const { source } = wanted
    const box = this.#box(id, 'missing' in source ? '' : 'file' in source ? source.file.name : 'Picture')
    this.#change({ add: { at, box, id } })
    if ('missing' in source) this.#offerAgain(box, id, `${source.missing} is missing. Drop the file here.`)
    else void this.#send(id, box, source, wanted)
  }

  async #send(id: string, box: HTMLElement, source: { file: File } | { url: string }, wanted: Wanted): Promise<void> {
    const bar = document.createElement('progress')
    bar.ariaLabel = 'Sent'
    if ('file' in source) bar.value = 0
    box.append(bar)
    const { url, error } = await hostPicture(this.#path, source, (share) => {
      if ('file' in source) bar.value = share
    })
    const view = this.#view
    const at = view && placeOf(view.state, id)
    if (!view || at === undefined) return
    if (url === undefined) {
      const why = error ?? 'The picture was not taken.'
      say(why)
      return this.#offerAgain(box, id, why)
    }
    const of = { src: url, alt: wanted.alt, ...(wanted.title === '' ? {} : { title: wanted.title }) }
    const tr = view.state.tr.setMeta(places, { remove: id }).insert(at, nodeType('image').create({ of }))
    view.dispatch(tr)
    if ('file' in source && wanted.alt === '') this.#askForText(view, imageAt(tr.doc, at, url))
  }

  /** Selects a picture and asks what it shows. */
  #askForText(view: EditorView, at: number): void {
    const found = view.state.doc.nodeAt(at)
    if (found?.type.name !== 'image') return
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)))
    say('The picture is there. Say what it shows, for people who do not see it and for search engines.')
    document.querySelector<HTMLInputElement>('#alt')?.focus({ preventScroll: true })
  }

  /** Selects the next picture without an alternative text. */
  nextWithoutText(): void {
    const view = this.#view
    if (!view) return
    const all = withoutText(view.state.doc)
    const at = all.find((one) => one > view.state.selection.from) ?? all[0]
    if (at === undefined) return
    this.#askForText(view, at)
    view.dispatch(view.state.tr.scrollIntoView())
  }

  /** Sends the pictures of what was pasted. `files`: pictures that the clipboard has apart from its HTML, in their order. */
  takePasted(files: readonly File[]): void {
    const view = this.#view
    if (!view) return
    const found: [number, Node][] = []
    view.state.doc.descendants((node, at) => {
      if (node.type.name === 'image' && PASTED_PICTURE in node.attrs.of) found.push([at, node])
    })
    const missing = found.filter(([, { attrs }]) => !/^(https?:|data:)/i.test(String(attrs.of.src)))
    const byNode = new Map(files.length === missing.length ? missing.map(([, node], n) => [node, files[n]]) : [])
    const { tr } = view.state
    for (const [at] of [...found].reverse()) tr.delete(at, at + 1)
    view.dispatch(tr)
    for (const [at, node] of found) {
      const { src = '', alt = '', title = '', [PASTED_PICTURE]: name = '' } = node.attrs.of as Record<string, string>
      const file = byNode.get(node) ?? fileOf(src)
      const source = file ? { file } : /^https?:/i.test(src) ? { url: src } : { missing: name }
      this.#add(tr.mapping.map(at, -1), { source, alt, title })
    }
  }

  plugin(): Plugin<DecorationSet> {
    return new Plugin({
      key: places,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, before) => {
          const { add, remove } = (tr.getMeta(places) ?? {}) as Change
          let set = before.map(tr.mapping, tr.doc)
          if (remove !== undefined) set = set.remove(set.find(undefined, undefined, (spec) => spec.id === remove))
          if (add) {
            const stopEvent = ({ type }: Event) => !/^(drag|drop)/.test(type)
            set = set.add(tr.doc, [Decoration.widget(add.at, add.box, { id: add.id, key: add.id, stopEvent })])
          }
          return set
        },
      },
      props: {
        decorations: (state) => places.getState(state),
        handleDrop: (view, event) => {
          const files = [...(event.dataTransfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
          if (files.length === 0) return false
          const id = (event.target as HTMLElement).closest<HTMLElement>('.waiting')?.dataset.picture
          this.addFiles(files, id, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
          return true
        },
      },
    })
  }
}

/** Returns the position of an image that was inserted at a position. Between blocks it gets a paragraph of its own. */
const imageAt = (doc: Node, at: number, address: string): number => {
  let found = at
  doc.nodesBetween(at, Math.min(at + 2, doc.content.size), (node, position) => {
    if ((node.attrs.of as Record<string, string> | undefined)?.src === address) found = position
  })
  return found
}

/** Returns the positions of pictures without an alternative text. An empty one says that a picture is decoration. */
export const withoutText = (doc: Node): number[] => {
  const found: number[] = []
  doc.descendants((node, at) => {
    if (node.type.name === 'image' && !(node.attrs.of as Record<string, string>).alt) found.push(at)
  })
  return found
}
