import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Message } from './store.ts'

/** What one attempt brought; status 0 when no answer came, then `error` says why. */
export type DeliveryAnswer = { status: number; headers: Record<string, string[]>; body: Buffer; error?: string }

export type Sender = { send: (message: Message) => Promise<DeliveryAnswer>; close: () => void }

const maxResponseBytes = 1024 * 1024

/** An attempt that got no answer. */
export const noAnswer = (error: string): DeliveryAnswer => ({ status: 0, headers: {}, body: Buffer.alloc(0), error })

const deliveryHeaders = (message: Message, body: Buffer, signature: string): Record<string, string | number> => ({
  ...message.headers,
  'content-length': body.length,
  'user-agent': 'Upstash-QStash',
  'upstash-message-id': message.messageId,
  'upstash-retried': message.retried,
  'upstash-caller-ip': message.callerIp,
  'upstash-signature': signature,
})

const readAnswer = (res: IncomingMessage, done: (answer: DeliveryAnswer) => void): void => {
  const chunks: Buffer[] = []
  let size = 0
  const finish = (): void => {
    const headers = Object.fromEntries(
      Object.entries(res.headersDistinct).map(([name, values]) => [name, values ?? []]),
    )
    done({ status: res.statusCode ?? 0, headers, body: Buffer.concat(chunks).subarray(0, maxResponseBytes) })
  }
  res.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < maxResponseBytes) return
    finish()
    res.destroy()
  })
  res.on('end', finish)
  res.on('error', (error) => done(noAnswer(error.message)))
}

/** Delivers messages: one signed request per call, answered or timed out, never throwing. Redirects are not followed. */
export const createSender = (sign: (url: string, body: Buffer) => string): Sender => {
  const live = new Set<ClientRequest>()

  const start = (message: Message, done: (answer: DeliveryAnswer) => void): ClientRequest => {
    const body = Buffer.from(message.body, 'base64')
    const target = new URL(message.url)
    const open = target.protocol === 'https:' ? httpsRequest : httpRequest
    const headers = deliveryHeaders(message, body, sign(message.url, body))
    // No keep-alive: a socket the endpoint closed while idle would look like a failed delivery.
    const req = open(target, { method: 'POST', headers, agent: false })
    let isAnswered = false
    req.on('response', (res) => {
      isAnswered = true
      readAnswer(res, done)
    })
    req.on('error', (error) => done(noAnswer(error.message)))
    req.on('close', () => {
      live.delete(req)
      // A response may still be in the buffer when the socket has closed; then readAnswer speaks.
      if (!isAnswered) done(noAnswer('the connection was closed'))
    })
    live.add(req)
    req.end(body)
    return req
  }

  const send = (message: Message): Promise<DeliveryAnswer> =>
    new Promise((resolve) => {
      try {
        const req = start(message, resolve)
        const expire = (): void => {
          resolve(noAnswer(`no answer within ${message.timeoutMs} ms`))
          req.destroy()
        }
        const timer = setTimeout(expire, Math.min(message.timeoutMs, 2 ** 31 - 1))
        req.on('close', () => clearTimeout(timer))
      } catch (error) {
        resolve(noAnswer(error instanceof Error ? error.message : String(error)))
      }
    })

  const close = (): void => {
    for (const req of live) req.destroy()
  }
  return { send, close }
}
