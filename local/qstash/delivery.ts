import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import type { Message } from './store.ts'

/** Answer of one attempt; status 0 if none came. */
export type DeliveryAnswer = { status: number; headers: IncomingMessage['headers'] }

export type Sender = { send: (message: Message) => Promise<DeliveryAnswer>; close: () => void }

/** The longest response the free plan waits for. */
const TIMEOUT_MS = 15 * 60_000

/** An attempt that got no answer. */
export const NO_ANSWER: DeliveryAnswer = { status: 0, headers: {} }

const deliveryHeaders = (message: Message, body: Buffer, signature: string): Record<string, string | number> => ({
  ...message.headers,
  'content-length': body.length,
  'user-agent': 'Upstash-QStash',
  'upstash-message-id': message.messageId,
  'upstash-retried': message.retried,
  'upstash-caller-ip': message.callerIp,
  'upstash-signature': signature,
})

/** Delivers messages: one signed request per call, answered or timed out, never throwing. Redirects are not followed. */
export const createSender = (sign: (url: string, body: Buffer) => string): Sender => {
  const live = new Set<ClientRequest>()

  const start = (message: Message, done: (answer: DeliveryAnswer) => void): void => {
    const body = Buffer.from(message.body, 'base64')
    const headers = deliveryHeaders(message, body, sign(message.url, body))
    // No keep-alive: an idle socket that the endpoint closed would look like a failed delivery.
    const req = request(message.url, { method: 'POST', headers, agent: false, timeout: TIMEOUT_MS })
    let isAnswered = false
    req.on('response', (res) => {
      isAnswered = true
      const finish = () => done({ status: res.statusCode ?? 0, headers: res.headers })
      res.on('end', finish).on('error', () => done(NO_ANSWER))
      res.resume()
    })
    req.on('timeout', () => req.destroy())
    req.on('error', () => done(NO_ANSWER))
    req.on('close', () => {
      live.delete(req)
      // A response may still be in the buffer after the socket closed. Then the end of the response counts.
      if (!isAnswered) done(NO_ANSWER)
    })
    live.add(req)
    req.end(body)
  }

  return {
    send: (message) =>
      new Promise((resolve) => {
        try {
          start(message, resolve)
        } catch {
          resolve(NO_ANSWER)
        }
      }),
    close: () => {
      for (const req of live) req.destroy()
    },
  }
}
