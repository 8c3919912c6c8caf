import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../providers/drive.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Clock of tests at a real CMS, which cannot be moved. */
export const realClock: Clock = { now: () => new Date(), pass: () => {} }

/** Serves a picture that a real CMS on this machine fetches. Returns its address, and what ends it. */
export const servePicture = async (): Promise<{ image: string; close: () => void }> => {
  const server = createServer((_, res) => res.writeHead(200, { 'content-type': 'image/png' }).end(PNG))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { image: `http://127.0.0.1:${port}/shed.png`, close: () => server.close() }
}
