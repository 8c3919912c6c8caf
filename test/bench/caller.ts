import { Agent, request } from 'node:http'

/** One timed call: from the request's first byte to the answer's last, in ms. */
type Timed = { status: number; text: string; ms: number }

export type Caller = {
  call: (method: string, path: string, key: string, body?: unknown) => Promise<Timed>
  close: () => void
}

/** Calls of `/api/v1` over one kept connection, one after the other. Throws on any status but `2xx`. */
export const createCaller = (url: string): Caller => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, key: string, payload: string | undefined): Promise<Timed> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const headers: Record<string, string | number> = { authorization: `Bearer ${key}` }
      if (payload !== undefined) {
        headers['content-type'] = 'application/json'
        headers['content-length'] = Buffer.byteLength(payload)
      }
      const sent = request(`${url}/api/v1${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const ms = performance.now() - startedAt
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), ms })
        })
      })
      sent.on('error', reject)
      sent.end(payload)
    })
  const call: Caller['call'] = async (method, path, key, body) => {
    const answer = await send(method, path, key, body === undefined ? undefined : JSON.stringify(body))
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return answer
  }
  return { call, close: () => agent.destroy() }
}
