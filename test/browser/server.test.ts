import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startBrowser } from '../../local/browser/server.ts'

const UPGRADE = [
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
].join('\r\n')

it('ends even if a caller neither reads nor closes its connection', async () => {
  const server = await startBrowser()
  const opened = await fetch(`${server.url}/v1/devtools/browser`, { method: 'POST' })
  const { sessionId } = (await opened.json()) as { sessionId: string }
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(`GET /v1/devtools/browser/${sessionId} HTTP/1.1\r\n${UPGRADE}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toContain('101')
  socket.pause()
  await server.close()
  socket.destroy()
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
}, 20_000)
