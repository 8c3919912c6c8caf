import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A mail as it was handed in, newest first in lists. */
type SentMail = { to: string; from: string; subject: string; text: string; at: string }

export type MailServer = { url: string; sent: (to: string) => SentMail[]; close: () => Promise<void> }

const KEPT = 500

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linked = (text: string): string =>
  escaped(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`)

const page = (mails: readonly SentMail[]): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Mails</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>Mails</h1><p>Nothing is sent from this machine: what the service mails stands here, newest first.</p>
${mails.map((mail) => `<article><h2>${escaped(mail.subject)}</h2><p>To ${escaped(mail.to)}, ${mail.at}</p><pre>${linked(mail.text)}</pre></article>`).join('') || '<p>None yet.</p>'}</html>`

/** Speaks Resend's `POST /emails` and keeps what it is given; `/` shows the mails, `/_mails?to=` gives them as JSON. */
export const startMail = async ({ port }: { port: number }): Promise<MailServer> => {
  const mails: SentMail[] = []
  const sent = (to: string) => mails.filter((mail) => mail.to === to)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mail')
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body)
    if (request.method === 'POST' && url.pathname === '/emails') {
      let text = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => (text += chunk))
      request.on('end', () => {
        const mail = JSON.parse(text) as Omit<SentMail, 'to' | 'at'> & { to: string[] }
        mails.unshift({ ...mail, to: mail.to.join(', '), at: new Date().toISOString() })
        mails.length = Math.min(mails.length, KEPT)
        answer(200, 'application/json', JSON.stringify({ id: `mail-${mails.length}` }))
      })
      return
    }
    if (url.pathname === '/_mails')
      answer(200, 'application/json', JSON.stringify(sent(url.searchParams.get('to') ?? '')))
    else if (url.pathname === '/') answer(200, 'text/html; charset=utf-8', page(mails))
    else answer(404, 'text/plain', 'There is no such page.')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
