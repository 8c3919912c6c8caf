import { type Copy, copies, dropCopy, keepCopy, sendCopy } from '../kept.ts'
import { element } from './parts.ts'

/** Words of a person: the title, the description and the text as HTML. */
export type Written = Pick<Copy, 'title' | 'meta_description' | 'content'>

/** Least time between two copies that are sent, and until a failed one is sent again, in milliseconds. */
const REST_MS = 3_000
const AGAIN_MS = 10_000

const REASONS: Record<number, string> = {
  0: 'the service does not answer',
  303: 'you are signed out: sign in in another tab',
  403: 'another person has signed in here',
  404: 'the article is gone: somebody deleted it',
  409: 'another text of yours is kept that was not saved: decide about that one first, in this or its own window',
  429: 'too much was sent in this minute',
}

const clock = (at: number): string => new Date(at).toLocaleTimeString()

/**
 * Text of one page of the editor until it is saved. This browser keeps a copy until the service has it.
 *
 * `path`: that of the article. `person`: who writes. `id`: that of the text which the page began with; empty for a new one.
 */
export class Drafts {
  readonly id: string
  readonly #place: { person: string; path: string }
  readonly #version: string
  #last: Copy | undefined
  /** Text that was sent last. */
  #tried: Copy | undefined
  #sending: Promise<void> | undefined
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(path: string, { person, id, version }: { person: string; id: string; version: string }) {
    this.#place = { person, path }
    this.id = id || newId()
    this.#version = version
  }

  /** Keeps a text in this browser, and sends it to the service. Returns false if the browser cannot keep it. */
  keep(written: Written): boolean {
    const isSame =
      this.#last !== undefined &&
      (Object.keys(written) as (keyof Written)[]).every((name) => written[name] === this.#last?.[name])
    if (!isSame) this.#last = { ...this.#place, draft: this.id, version: this.#version, at: Date.now(), ...written }
    if (!this.#last || (isSame && this.isKept)) return true
    const isHere = keepCopy(this.#last)
    this.#send(isHere)
    return isHere
  }

  /** True if the service has the last text. */
  isKept = false

  #send(isHere: boolean): void {
    const copy = this.#last
    if (!copy) return
    this.isKept = false
    if (this.#sending) return
    clearTimeout(this.#next)
    this.#tried = copy
    this.#sending = sendCopy(copy).then((status) => {
      this.#sending = undefined
      const isOver = status === 200
      if (isOver) dropCopy(copy)
      const isLast = copy === this.#last
      this.isKept = isOver && isLast
      if (isOver) this.#say(`Kept ${clock(copy.at)}, not saved yet`)
      else this.#say(this.#failure(status, isHere, copy.at))
      if (!this.isKept) this.#next = setTimeout(() => this.#send(isHere), isOver ? REST_MS : AGAIN_MS)
    })
  }

  #say(text: string): void {
    element('#editor-kept').textContent = text
  }

  #failure(status: number, isHere: boolean, at: number): string {
    const why = REASONS[status] ?? 'the service cannot take it now'
    return isHere
      ? `Kept in this browser alone ${clock(at)}, not saved yet: ${why}.`
      : `Not kept: the store of this browser is full or closed, and ${why}. Copy your text, or save it now.`
  }

  /** Keeps a text and waits until the service answered. No other copy is sent after that. */
  async finish(written: Written): Promise<boolean> {
    const isHere = this.keep(written)
    await this.#sending
    if (this.#tried !== this.#last) {
      this.#send(isHere)
      await this.#sending
    }
    clearTimeout(this.#next)
    return this.isKept || isHere
  }

  /** Sends what only this browser has of the article. Shows the offer of it. `saved`: id of the draft that was saved last. */
  async offerOwn(saved: string): Promise<void> {
    const { person, path } = this.#place
    for (const copy of copies(person).filter((one) => one.path === path)) {
      if (copy.draft === saved) dropCopy(copy)
      else if ((await sendCopy(copy)) === 200) {
        dropCopy(copy)
        element('#draft').hidden = false
      }
    }
  }
}

const newId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36).padStart(7, '0')).join('')
