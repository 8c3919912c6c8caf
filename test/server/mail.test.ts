import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveMail } from '../../server/mail.ts'
import type { Serving } from '../../server/socket.ts'

/** What the mail server says to `RCPT TO` and after the text; undefined: it closes the connection. */
let answers: { recipient: string; text: string | undefined }
const mails: string[] = []
let smtp: Server
let mail: Serving
let folder = ''

/** Speaks as much SMTP as one mail needs. */
const converse = (socket: Socket): void => {
  let isText = false
  let text = ''
  socket.write('220 mail.example\r\n')
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += String(chunk)
    if (isText) {
      if (!text.endsWith('\r\n.\r\n')) return
      mails.push(text)
      isText = false
      text = ''
      return void (answers.text === undefined ? socket.destroy() : socket.write(`${answers.text}\r\n`))
    }
    for (const line of text.split('\r\n').slice(0, -1)) {
      if (/^EHLO|^HELO|^MAIL|^RSET/i.test(line)) socket.write('250 ok\r\n')
      else if (/^RCPT/i.test(line)) socket.write(`${answers.recipient}\r\n`)
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else if (/^DATA/i.test(line)) {
        isText = true
        socket.write('354 go on\r\n')
      }
    }
    text = ''
  })
}

const listening = (server: Server): number => (server.address() as { port: number }).port

beforeEach(async () => {
  answers = { recipient: '250 ok', text: '250 taken' }
  mails.length = 0
  folder = mkdtempSync(join(tmpdir(), 'galley-mail-'))
  smtp = createServer(converse).listen(0, '127.0.0.1')
  await new Promise((resolve) => smtp.once('listening', resolve))
  mail = await serveMail(join(folder, 'mail.sock'), `smtp://127.0.0.1:${listening(smtp)}`)
})

afterEach(async () => {
  await mail.close()
  smtp.close()
  rmSync(folder, { recursive: true, force: true })
})

const send = (): Promise<{ status: number; body: { code?: string; messageId?: string } }> =>
  new Promise((resolve, reject) => {
    const call = request(
      { socketPath: join(folder, 'mail.sock'), path: '/_binding/send', method: 'POST' },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }))
      },
    )
    call.on('error', reject)
    call.end(
      JSON.stringify({
        from: { name: 'Gälley', email: 'mail@galley.example' },
        to: 'jo@example.com',
        subject: 'Sign in to Gälley',
        text: 'Open this link.\n\nhttps://galley.example/x',
        headers: { 'List-Unsubscribe': '<https://galley.example/u>' },
      }),
    )
  })

it('hands a mail to the mail server, with its headers', async () => {
  expect(await send()).toMatchObject({ status: 200, body: { messageId: expect.any(String) } })
  const [text = ''] = mails
  expect(text).toMatch(/^From: =\?UTF-8\?.*<mail@galley\.example>\r$/m)
  expect(text).toMatch(/^To: jo@example\.com\r$/m)
  expect(text).toMatch(/^List-Unsubscribe: <https:\/\/galley\.example\/u>\r$/m)
  expect(text).toContain('https://galley.example/x')
})

it('a mail that the server refuses for good is not sent again', async () => {
  answers = { recipient: '550 no such user', text: undefined }
  expect((await send()).body.code).toBe('E_DELIVERY_FAILED')
})

it('a mail that the server may take later is sent later', async () => {
  answers = { recipient: '450 try again', text: undefined }
  expect((await send()).body.code).toBe('E_RATE_LIMIT_EXCEEDED')
  smtp.close()
  expect((await send()).body.code).toBe('E_RATE_LIMIT_EXCEEDED')
})

it('a mail whose answer is lost may have arrived, so it is not sent again by itself', async () => {
  answers = { recipient: '250 ok', text: undefined }
  expect((await send()).body.code).toBe('E_NO_ANSWER')
  expect(mails).toHaveLength(1)
})
