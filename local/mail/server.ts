import { escapeAttribute } from '../../src/html/references.ts'
import { html, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'

/** A mail as it was handed in, newest first in lists. */
type SentMail = { to: string; from: string; subject: string; text: string; at: string }

export type MailServer = StandIn & { sent: (to: string) => SentMail[] }

const KEPT = 500

const linked = (text: string): string =>
  escapeAttribute(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`)

const page = (mails: readonly SentMail[]): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Mails</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>Mails</h1><p>Nothing is sent from this machine: what the service mails stands here, newest first.</p>
${mails.map((mail) => `<article><h2>${escapeAttribute(mail.subject)}</h2><p>To ${escapeAttribute(mail.to)}, ${mail.at}</p><pre>${linked(mail.text)}</pre></article>`).join('') || '<p>None yet.</p>'}</html>`

/** Speaks Resend's `POST /emails` and keeps what it is given; `/` shows the mails, `/_mails?to=` gives them as JSON. */
export const startMail = async ({ port }: { port: number }): Promise<MailServer> => {
  const mails: SentMail[] = []
  const sent = (to: string) => mails.filter((mail) => mail.to === to)
  const standIn = await startStandIn({
    port,
    answer: ({ method, path, query, body }) => {
      if (method === 'POST' && path === '/emails') {
        const mail = body as Omit<SentMail, 'to' | 'at'> & { to: string[] }
        mails.unshift({ ...mail, to: mail.to.join(', '), at: new Date().toISOString() })
        mails.length = Math.min(mails.length, KEPT)
        return json(200, { id: `mail-${mails.length}` })
      }
      if (path === '/_mails') return json(200, sent(query.get('to') ?? ''))
      return path === '/' ? html(200, page(mails)) : html(404, 'There is no such page.')
    },
  })
  return { ...standIn, sent }
}
