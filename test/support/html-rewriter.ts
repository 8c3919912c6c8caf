import { HTMLRewriter as Wasm } from 'html-rewriter-wasm'

type Handlers = Parameters<Wasm['on']>[1]
type DocumentHandlers = Parameters<Wasm['onDocument']>[0]

/** The Workers runtime's HTMLRewriter for tests that run in Node: the same lol-html, compiled to WebAssembly. */
class LolHtml {
  readonly #apply: ((rewriter: Wasm) => void)[] = []

  on(selector: string, handlers: Handlers): this {
    this.#apply.push((rewriter) => rewriter.on(selector, handlers))
    return this
  }

  onDocument(handlers: DocumentHandlers): this {
    this.#apply.push((rewriter) => rewriter.onDocument(handlers))
    return this
  }

  transform(source: Response): Response {
    const apply = this.#apply
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const rewriter = new Wasm((chunk) => {
          if (chunk.length > 0) controller.enqueue(chunk.slice())
        })
        try {
          for (const step of apply) step(rewriter)
          await rewriter.write(new TextEncoder().encode(await source.text()))
          await rewriter.end()
          controller.close()
        } catch (error) {
          controller.error(error)
        } finally {
          rewriter.free()
        }
      },
    })
    return new Response(body, { headers: source.headers })
  }
}

Object.assign(globalThis, { HTMLRewriter: LolHtml })

type Runtime = import('@cloudflare/workers-types/index.ts').HTMLRewriter

declare global {
  type Element = import('@cloudflare/workers-types/index.ts').Element
  const HTMLRewriter: new () => {
    on: (...given: Parameters<Runtime['on']>) => InstanceType<typeof HTMLRewriter>
    onDocument: (...given: Parameters<Runtime['onDocument']>) => InstanceType<typeof HTMLRewriter>
    transform: (source: Response) => Response
  }
}
