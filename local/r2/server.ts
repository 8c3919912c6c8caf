import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../cloudflare/answer.ts'
import { makeFolder } from '../damaged-file.ts'
import { createFaults } from '../faults.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import type { Answer } from '../receiver/answers.ts'
import { type Files, filesIn, type StoredObject } from './files.ts'
import { type Parts, partsIn } from './parts.ts'
import { invalidRange, meets, noSuchKey, type R2Request, readRequest, type Span, writeRequest } from './wire.ts'

export type R2Options = {
  /** 0 or absent for any free port. */
  port?: number
  /** Folder of the objects. */
  dir: string
  /** Called with a sentence for each object that exists and cannot be read. */
  say?: ((notice: string) => void) | undefined
}

export type R2Server = Loopback

/** The header in which workerd's configuration names the bucket (`injectRequestHeaders`). */
export const BUCKET_HEADER = 'x-r2-bucket'

/** Returns the fields from which the runtime makes an `R2Object`. */
const fieldsOf = (object: StoredObject, range?: Span) => ({
  name: object.key,
  version: object.version,
  size: object.size,
  etag: object.etag,
  uploaded: object.uploaded,
  httpFields: object.httpFields,
  customFields: object.customFields,
  range,
  checksums: { 0: object.checksums.md5, 2: object.checksums.sha256 },
})

const described = (object: StoredObject, range?: Span): string => JSON.stringify(fieldsOf(object, range))

const headOf = (text: string, more = 0) => ({
  'cf-r2-metadata-size': String(Buffer.byteLength(text)),
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(text) + more),
})

const refuse = (res: ServerResponse, { status, code, message }: Refusal): void => {
  res.writeHead(status, { ...headOf(''), 'cf-r2-error': JSON.stringify({ message, version: 1, v4code: code }) }).end()
}

type Call = { files: Files; parts: Parts; bucket: string; res: ServerResponse }

const sendObject = (res: ServerResponse, object: StoredObject): void => {
  const text = described(object)
  res.writeHead(200, headOf(text)).end(text)
}

const found = async ({ files, bucket }: Call, key: string): Promise<StoredObject> => {
  const object = await files.head(bucket, key)
  if (!object) throw noSuchKey()
  return object
}

/** Returns the requested part of an object. Throws a refusal if the object does not have it. */
const spanIn = ({ range }: Extract<R2Request, { method: 'get' }>, size: number): Span => {
  if (!range) return { offset: 0, length: size }
  const [offset, length] = [Number(range.offset), Number(range.length)]
  if (offset < 0 || offset > size || length <= 0) throw invalidRange()
  return { offset, length: Math.min(length, size - offset) }
}

const get = async (call: Call, request: Extract<R2Request, { method: 'get' }>): Promise<void> => {
  const { files, bucket, res } = call
  const object = await found(call, request.object)
  const span = spanIn(request, object.size)
  const stream = await files.open(bucket, object, span)
  const text = described(object, span)
  res.writeHead(200, headOf(text, span.length))
  res.write(text)
  if (span.length === 0) {
    stream.destroy()
    res.end()
    return
  }
  await pipeline(stream, res)
}

const sendJson = (res: ServerResponse, body: object): void => {
  const text = JSON.stringify(body)
  res.writeHead(200, headOf(text)).end(text)
}

/** Objects of a page of a list, as R2 has it. */
const PAGE = 1000

/** Answers a page of objects. The cursor is the last key before the page. */
const list = async ({ files, bucket, res }: Call, request: Extract<R2Request, { method: 'list' }>): Promise<void> => {
  const { prefix = '', cursor = '', limit = PAGE } = request
  const rest = (await files.list(bucket, prefix)).filter(({ key }) => key > cursor)
  const objects = rest.slice(0, Math.min(limit, PAGE))
  const truncated = rest.length > objects.length
  sendJson(res, {
    objects: objects.map((object) => fieldsOf(object)),
    truncated,
    ...(truncated ? { cursor: objects.at(-1)?.key } : {}),
    delimitedPrefixes: [],
  })
}

const answerRead = async (call: Call, request: R2Request): Promise<void> => {
  if (request.method === 'list') return await list(call, request)
  if (request.method === 'get') return await get(call, request)
  if (request.method === 'head') return sendObject(call.res, await found(call, request.object))
  throw new Refusal(400, 10029, `${request.method} is not read.`)
}

/** Carries out a write of an object in parts. Returns false for any other request. */
const answerParted = async (
  { parts, bucket, res }: Call,
  request: R2Request,
  value: () => AsyncIterable<Buffer>,
): Promise<boolean> => {
  if (request.method === 'createMultipartUpload') {
    const { object: key, httpFields = {}, customFields = [] } = request
    sendJson(res, { uploadId: await parts.begin(bucket, { key, httpFields, customFields }) })
  } else if (request.method === 'uploadPart') {
    const { object, uploadId, partNumber } = request
    sendJson(res, { etag: await parts.add(bucket, object, uploadId, Number(partNumber), value) })
  } else if (request.method === 'completeMultipartUpload') {
    sendObject(res, await parts.complete(bucket, request.object, request.uploadId, request.parts))
  } else if (request.method === 'abortMultipartUpload') {
    await parts.abort(bucket, request.uploadId)
    res.writeHead(200, { 'content-length': '0' }).end()
  } else return false
  return true
}

const answerWrite = async (call: Call, req: IncomingMessage): Promise<void> => {
  const { files, bucket, res } = call
  const { request, value } = await writeRequest(req)
  if (request.method === 'delete') {
    const keys = request.objects ?? (request.object === undefined ? [] : [request.object])
    for (const key of keys) await files.remove(bucket, key)
    res.writeHead(200, { 'content-length': '0' }).end()
    return
  }
  if (await answerParted(call, request, value)) return
  if (request.method !== 'put') throw new Refusal(400, 10029, `${request.method} is not written.`)
  const { object, httpFields = {}, customFields = [], sha256, onlyIf } = request
  const may = (before: StoredObject | undefined) => meets(onlyIf, before)
  sendObject(res, await files.put(bucket, object, value, { httpFields, customFields, sha256, may }))
}

/** Answers a request of workerd's R2 binding with the objects in files. */
export const answerObjects = async (
  stored: { files: Files; parts: Parts },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  const call = { ...stored, bucket: String(req.headers[BUCKET_HEADER] ?? 'bucket'), res }
  try {
    await (req.method === 'GET' ? answerRead(call, readRequest(req)) : answerWrite(call, req))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    req.resume()
    refuse(res, error)
  }
}

/** Returns the answer to an error that is no refusal. */
export const objectsFailure = (): Answer => ({
  status: 500,
  headers: {
    'cf-r2-error': JSON.stringify({ message: 'We encountered an internal error.', version: 1, v4code: 10001 }),
  },
  body: '',
})

/**
 * Starts R2 for workerd's binding, with files as storage: `head`, `get` of a whole or a part, `put` with a digest,
 * objects in parts, `delete`, `list`.
 *
 * `/_uploads?bucket=` lists unfinished uploads, and how many bytes of parts `arrived`.
 *
 * The wire is that of workerd's R2 binding (workerd, src/workerd/api/r2-rpc.c++). Faults (`status`, `drop`, `late_ms`)
 * are set at `/_faults`; their `path` is matched with `GET` for reads and `PUT` for writes.
 */
export const startR2 = async (options: R2Options): Promise<R2Server> => {
  makeFolder(options.dir)
  const files = filesIn(options.dir)
  if (options.say) for (const sentence of await files.damaged()) options.say(sentence)
  const parts = partsIn(options.dir, files)
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url?.startsWith('/_faults')) {
      const chunks: Buffer[] = []
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
      faults.control(req, res, Buffer.concat(chunks).toString('utf8'))
      return
    }
    if (req.url?.startsWith('/_uploads')) {
      const bucket = new URL(req.url, 'http://r2').searchParams.get('bucket') ?? 'bucket'
      sendJson(res, { open: await parts.open(bucket), arrived: parts.arrived() })
      return
    }
    const fault = faults.take(req.method ?? '', '')
    if (fault?.drop) {
      req.socket.destroy()
      return
    }
    if (fault?.late_ms !== undefined) await sleep(fault.late_ms)
    if (fault?.status === undefined) return await answerObjects({ files, parts }, req, res)
    req.resume()
    refuse(res, new Refusal(fault.status, 10001, 'injected fault'))
  }
  return await serveLoopback(handle, objectsFailure, options.port)
}
