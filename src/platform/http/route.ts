import type * as z from 'zod/mini'
import type { Ctx } from '../runtime/ctx.ts'
import type { Operation, Operations, StatusOf } from './operation.ts'

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParamNames<After>
    : Rest
  : never

type Params<Op extends Operation> = {
  [Name in ParamNames<Op['path']>]: Op['params'] extends Record<Name, infer S extends z.ZodMiniType>
    ? z.infer<S>
    : number
}

type Parsed<S> = S extends z.ZodMiniType ? z.infer<S> : Record<string, never>

/** The checked input of an operation. */
export type Input<Op extends Operation> = { params: Params<Op>; query: Parsed<Op['query']>; body: Parsed<Op['json']> }

const STATUS: unique symbol = Symbol('status')

/** An answer with another status than the operation's usual one. */
export type Answer<Status extends number = number> = { [STATUS]: Status; body: object }

/** Returns an answer with one of the operation's other statuses. */
export const answer = <Status extends number>(status: Status, body: object): Answer<Status> => ({
  [STATUS]: status,
  body,
})

/** Returns the status that a handler chose; undefined if it returned only a body. */
export const statusOf = (returned: object): number | undefined =>
  STATUS in returned ? (returned as Answer)[STATUS] : undefined

/** A body without a status. An `Answer` does not have this type. */
type Body = object & { readonly [STATUS]?: never }

/** Handles one operation. Returns a body for the usual status, or `answer(status, body)`. */
type Handler<Op extends Operation> = (ctx: Ctx, input: Input<Op>) => Promise<Body | Answer<StatusOf<Op>>>

/** An operation with its handler. */
export type Route = { operation: Operation; handler: Handler<Operation> }

/** Returns the routes of a domain: its operations with their handlers. Every operation must have one. */
export const routes = <Ops extends Operations>(
  operations: Ops,
  handlers: { [Name in keyof Ops]: Handler<Ops[Name]> },
) =>
  Object.entries(operations).map(
    ([name, operation]): Route => ({ operation, handler: handlers[name] as unknown as Handler<Operation> }),
  )

const CHUNKS: unique symbol = Symbol('chunks')

/** An answer that is sent while it is produced, as text of the operation's own media type. */
type Streamed = { [CHUNKS]: AsyncIterable<string> }

/** Returns an answer of text that is produced piece by piece. The first piece is requested only once the answer has begun. */
export const streamed = (chunks: AsyncIterable<string>): Streamed => ({ [CHUNKS]: chunks })

/** Returns the pieces of a streamed answer; undefined for any other. */
export const chunksOf = (returned: object): AsyncIterable<string> | undefined =>
  CHUNKS in returned ? (returned as Streamed)[CHUNKS] : undefined

/**
 * Returns a stream of the text's bytes, produced as they are read.
 *
 * If a piece fails, calls `failed` with the error and breaks the connection.
 */
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
