import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { FaultRule } from '../faults.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** A request as it came, for tests to read. */
type Heard = {
  model: string
  prompt: string
  size: string
  n: number
  response_format?: string
  quality?: string
}

export type RunningImages = {
  /** The base URL an OpenAI-compatible client is given. */
  baseUrl: string
  heard: () => readonly Heard[]
  /** Sets answers instead of a picture, as at every local service. */
  faults: (rules: readonly FaultRule[]) => void
  close: () => Promise<void>
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns a PNG of one colour, which depends on the prompt: another prompt gives another picture. */
const pictureOf = (prompt: string, width: number, height: number): Buffer => {
  const color = createHash('sha256').update(prompt).digest().subarray(0, 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a sample, three samples a pixel.
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.alloc(1), Buffer.concat(Array.from({ length: width }, () => color))])
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const refusal = (status: number, message: string): Answer =>
  json(status, { error: { message, type: 'invalid_request_error', param: null, code: null } })

/** Models of OpenAI as of 2026-11-25, and one of another server with the same API. */
const GPT_MODELS = ['gpt-image-2.6-flare', 'gpt-image-2.6-sunburst']
const OTHER_MODELS = ['painter-1']

const FIELDS = ['model', 'prompt', 'n', 'size', 'quality', 'background', 'moderation', 'output_format', 'user']
const QUALITIES = ['low', 'medium', 'high', 'auto']

/** Returns the answer to a request that the provider refuses; undefined if it accepts the request. */
const faultOf = (body: Heard): Answer | undefined => {
  const isGpt = GPT_MODELS.includes(body.model)
  if (!isGpt && !OTHER_MODELS.includes(body.model))
    return refusal(400, `The model '${body.model}' does not exist or you do not have access to it.`)
  const known = isGpt ? FIELDS : [...FIELDS, 'response_format']
  const strange = Object.keys(body).find((name) => !known.includes(name))
  if (strange) return refusal(400, `Unknown parameter: '${strange}'.`)
  if (typeof body.prompt !== 'string' || body.prompt === '')
    return refusal(400, "Missing required parameter: 'prompt'.")
  if (body.quality !== undefined && !QUALITIES.includes(body.quality))
    return refusal(400, `Invalid value: '${body.quality}'. Supported values are: 'low', 'medium', 'high', and 'auto'.`)
  return undefined
}

/**
 * Starts an image model behind the OpenAI images endpoint (https://platform.openai.com/docs/api-reference/images/create). It paints
 * one colour; it costs nothing.
 */
export const startImages = async (key: string): Promise<RunningImages> => {
  const heard: Heard[] = []
  const answer = ({ path, headers, body }: StandInRequest): Answer => {
    if (path !== '/v1/images/generations') return refusal(404, `There is no ${path}.`)
    if (headers.authorization !== `Bearer ${key}`) return refusal(401, 'Incorrect API key provided.')
    const fault = faultOf(body as Heard)
    if (fault) return fault
    const { prompt, size, model, response_format: format } = body as Heard
    if (!GPT_MODELS.includes(model) && format !== 'b64_json')
      return json(200, { created: 1, data: [{ url: 'https://images.example/1.png' }] })
    const [width = 0, height = 0] = size.split('x').map(Number)
    return json(200, { created: 1, data: [{ b64_json: pictureOf(prompt, width, height).toString('base64') }] })
  }
  const standIn = await startStandIn({
    answer,
    heard: ({ body }) => heard.push(body as Heard),
    refusal: (status) => refusal(status, 'fault'),
  })
  return { baseUrl: `${standIn.url}/v1`, heard: () => heard, faults: standIn.faults.set, close: standIn.close }
}
