import { readAttachmentBody, roomFor } from './attachment-body.ts'
import { type Body, readBody } from './body.ts'
import type { Operation } from './operation.ts'
import { createRoom } from './room.ts'
import { boundaryOf, type Intake, readUploadBody, type UploadField } from './upload-body.ts'

/** Registers a function that runs when the request has ended. */
type AtEnd = (leave: () => void) => void

/** Reads the bodies of operations with a file, as base64 or as a form. Throws 400, 413, 503. */
export type FileBodies = (
  request: Request,
  op: Operation,
  defer: (work: Promise<unknown>) => void,
  atEnd: AtEnd,
) => Promise<Body>

/** Returns the reader of bodies with files (`files` of HttpDeps). Groups without such operations do not include its code. */
export const fileBodies = (wait: (ms: number) => Promise<void>, intake: Intake): FileBodies => {
  const room = createRoom(wait)

  /** Reads a form; JSON if the request has another type. */
  const readForm = async (request: Request, declared: UploadField, defer: Parameters<FileBodies>[2], atEnd: AtEnd) => {
    const boundary = boundaryOf(request.headers.get('content-type'))
    if (boundary === undefined) return await readBody(request, ['application/json', 'multipart/form-data'])
    const form = await readUploadBody(request, boundary, declared, (chunks) => intake(chunks, room))
    atEnd(() => defer(form.upload?.drop() ?? Promise.resolve()))
    return form
  }

  return async (request, { upload, attachment }, defer, atEnd) => {
    if (upload) return await readForm(request, upload, defer, atEnd)
    if (!attachment) return await readBody(request)
    atEnd(await room.take(roomFor(request, attachment)))
    return await readAttachmentBody(request, attachment, request.headers.get('idempotency-key') !== null)
  }
}
