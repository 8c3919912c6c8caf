import type { DOMParser, Slice } from 'prosemirror-model'
import { DOMParser as Parser } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { say } from '../parts.ts'
import type { Pictures } from '../pictures.ts'
import { parser, pasteParser } from '../schema.ts'
import { type Changes, cleaned, reportOf } from './clean.ts'
import { hasStructure, isMarkdown } from './markdown.ts'
import { picturesIn } from './rtf.ts'

/** Paste stage of the editor: what is pasted or dropped is cleaned, then parsed, and the changes are reported. */
export class Paste {
  readonly #pictures: Pictures
  /** Path that turns Markdown into HTML. */
  readonly #path: string
  #changes: Changes | undefined
  #files: readonly File[] = []
  #intro = ''

  constructor(pictures: Pictures, path: string) {
    this.#pictures = pictures
    this.#path = path
  }

  /** Returns the parser of pasted elements. What was copied in the editor is parsed as the article is. */
  parser(): DOMParser {
    const parse = (dom: HTMLElement, options: object): Slice => {
      if (dom.querySelector('[data-pm-slice]')) return parser.parseSlice(dom, options)
      this.#changes = cleaned(dom, `${location.origin}/media/`)
      return pasteParser.parseSlice(dom, options)
    }
    return new (class extends Parser {
      override parseSlice(dom: globalThis.Node, options: object = {}): Slice {
        return parse(dom as HTMLElement, options)
      }
    })(pasteParser.schema, pasteParser.rules)
  }

  /** Takes pictures and Markdown from the clipboard. Returns true if nothing is left for the editor to paste. */
  take(view: EditorView, { clipboardData }: ClipboardEvent): boolean {
    if (!clipboardData) return false
    const [html, text, rtf] = ['text/html', 'text/plain', 'text/rtf'].map((type) => clipboardData.getData(type)) as [
      string,
      string,
      string,
    ]
    const files = [...clipboardData.files].filter(({ type }) => type.startsWith('image/'))
    const hasWords = text.trim() !== '' || html.replace(/<[^>]*>/g, '').trim() !== ''
    if (files.length > 0 && !hasWords) {
      this.#pictures.addFiles(files)
      return true
    }
    if (!view.state.selection.$from.parent.type.spec.code && !hasStructure(html) && isMarkdown(text)) {
      void this.#readMarkdown(view, text)
      return true
    }
    this.#files = picturesIn(rtf)
    return false
  }

  async #readMarkdown(view: EditorView, text: string): Promise<void> {
    const answer = await fetch(this.#path, { method: 'POST', body: new URLSearchParams({ markdown: text }) })
      .then(async (response) => (await response.json()) as { html?: string; error?: string })
      .catch(() => ({ error: undefined, html: undefined }))
    if (answer.html === undefined) {
      view.pasteText(text)
      return say(`The Markdown is pasted as it is. ${answer.error ?? 'It could not be read.'}`)
    }
    this.#intro = 'Markdown was read as formatted text.'
    view.pasteHTML(answer.html)
  }

  /** Reports the changes of what was pasted, and sends its pictures. Called when the text has it. */
  finish(): void {
    const [changes, files, intro] = [this.#changes, this.#files, this.#intro]
    this.#changes = undefined
    this.#files = []
    this.#intro = ''
    if (!changes) return
    if (files.length > 0 && files.length === changes.missing.length) {
      changes.pictures += files.length
      changes.missing = []
    }
    const report = `${intro} ${reportOf(changes)}`.trim()
    if (report !== '') say(report)
    this.#pictures.takePasted(files)
  }
}
