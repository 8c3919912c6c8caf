import { Node } from 'prosemirror-model'
import { element, say } from './parts.ts'
import { schema } from './schema.ts'

/** Text that was written and not saved, as this browser keeps it. */
type Draft = { id: string; at: number; title: string; about: string; doc: unknown }

/** Words of a person: the title, the description and the text. */
export type Written = { title: string; about: string; doc: Node }

/** Most drafts of one article. Each open page of the editor has its own. */
const MOST = 5

const newId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36).padStart(7, '0')).join('')

/** Drafts of one article in this browser. */
export class Drafts {
  /** Id of this page's own draft. */
  readonly id = newId()
  readonly #key: string

  constructor(path: string) {
    this.#key = `galley-draft ${path}`
  }

  #all(): Draft[] {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? '[]') as Draft[]
    } catch {
      return []
    }
  }

  #write(drafts: readonly Draft[]): boolean {
    try {
      if (drafts.length === 0) localStorage.removeItem(this.#key)
      else localStorage.setItem(this.#key, JSON.stringify(drafts))
      return true
    } catch {
      return false
    }
  }

  /** Keeps what is written, and shows when it was kept or that it cannot be. */
  keep({ title, about, doc }: Written): void {
    const own = { id: this.id, at: Date.now(), title, about, doc: doc.toJSON() }
    const isKept = this.#write([own, ...this.#all().filter(({ id }) => id !== this.id)].slice(0, MOST))
    element('#editor-kept').textContent = isKept
      ? `Kept in this browser ${new Date(own.at).toLocaleTimeString()}`
      : 'Not kept: the store of this browser is full or closed. Save, so that nothing is lost.'
  }

  #remove(id: string): void {
    this.#write(this.#all().filter((draft) => draft.id !== id))
  }

  /** Offers the drafts that differ from what is saved. `savedId`: the draft that was saved last. */
  offer(saved: Written, savedId: string, restore: (written: Written) => void): void {
    const box = element('#draft')
    for (const { id, at, title, about, doc } of this.#all()) {
      const found = read(doc)
      if (id === savedId || !found || (found.eq(saved.doc) && title === saved.title && about === saved.about)) {
        this.#remove(id)
        continue
      }
      const row = document.createElement('div')
      row.className = 'row'
      const end = () => {
        row.remove()
        box.hidden = box.childElementCount === 0
      }
      row.append(
        `This browser has text of ${new Date(at).toLocaleString()} that was not saved.`,
        button('Bring it back', () => {
          end()
          restore({ title, about, doc: found })
          this.#remove(id)
          say('The text that was not saved is back. It is saved when you press Save.')
        }),
        button('Discard it', () => {
          end()
          this.#remove(id)
        }),
      )
      box.append(row)
      box.hidden = false
    }
  }
}

const read = (doc: unknown): Node | undefined => {
  try {
    return Node.fromJSON(schema, doc)
  } catch {
    return undefined
  }
}

const button = (label: string, run: () => void): HTMLButtonElement => {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'plain'
  made.textContent = label
  made.addEventListener('click', run)
  return made
}
