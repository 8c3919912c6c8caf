const CHUNKS: unique symbol = Symbol('chunks')

/** An answer that is sent while it is made, as text of the operation's own type. */
type Streamed = { [CHUNKS]: AsyncIterable<string> }

/** Answers with text that is made piece by piece. The first piece is not asked for before the answer has begun. */
export const streamed = (chunks: AsyncIterable<string>): Streamed => ({ [CHUNKS]: chunks })

/** Returns the pieces of a streamed answer; undefined for any other. */
export const chunksOf = (returned: object): AsyncIterable<string> | undefined =>
  CHUNKS in returned ? (returned as Streamed)[CHUNKS] : undefined

/** Returns the bytes of pieces of text, made as they are read. `failed` is told why the rest does not come: the connection breaks then. */
export const bodyStream = (
  chunks: AsyncIterable<string>,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await iterator.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          failed(error)
          controller.error(error)
        }
      },
      cancel: async () => {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
