import { createTransport, type Transporter } from 'nodemailer'
import { BINDING_PATH } from '../local/mail/binding.ts'
import { type Answer, json, readBody, send } from '../local/receiver/answers.ts'
import { type Serving, serveAt } from './socket.ts'

const MAX_MAIL_BYTES = 1024 * 1024
/** Longer waits end the attempt of the Worker, which then does not know whether the mail was sent. */
const WAIT_MS = 10_000

type Mail = {
  from: string | { name: string; email: string }
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
}

/** Returns a connection to a mail server. Each mail opens one, because mails are few. */
export const mailServer = (smtpUrl: string): Transporter =>
  createTransport({ url: smtpUrl, connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS })

type SmtpFault = Error & { code?: string; responseCode?: number; syscall?: string }

/** Codes of nodemailer for a failure before the text was sent. */
const UNSENT: readonly (string | undefined)[] = ['EDNS', 'ETLS']

/**
 * Returns a failure in the words of Cloudflare's `send_email` binding, which the Workers know.
 *
 * A mail server that says 5xx never takes the mail; one that says 4xx, or is not there, may take it later. If the
 * connection broke later, the mail may have arrived: it has no known code, and the mail is not repeated by itself.
 */
const failureOf = ({ responseCode = 0, code, syscall }: SmtpFault): Answer => {
  const reason = String(responseCode || code || syscall)
  if (responseCode >= 500)
    return json(400, { code: 'E_DELIVERY_FAILED', message: `the mail server refused it (${reason})` })
  if (responseCode >= 400 || UNSENT.includes(code) || syscall === 'connect')
    return json(429, { code: 'E_RATE_LIMIT_EXCEEDED', message: `the mail server did not take it (${reason})` })
  return json(502, { code: 'E_NO_ANSWER', message: `the mail server gave no clear answer (${reason})` })
}

/** Serves a mail server as the Workers' binding for mails calls it. */
export const serveMail = async (path: string, smtpUrl: string): Promise<Serving> => {
  const transport = mailServer(smtpUrl)
  const answer = async (mail: Mail): Promise<Answer> => {
    const { from } = mail
    try {
      const sent = await transport.sendMail({
        ...mail,
        from: typeof from === 'string' ? from : { name: from.name, address: from.email },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return json(200, { messageId: sent.messageId })
    } catch (error) {
      return failureOf(error as SmtpFault)
    }
  }
  return await serveAt(
    path,
    async (req, res) => {
      const body = (await readBody(req, MAX_MAIL_BYTES)).toString('utf8')
      const isMail = req.method === 'POST' && req.url === BINDING_PATH
      send(res, isMail ? await answer(JSON.parse(body) as Mail) : json(404, { code: 'E_NOT_FOUND', message: '' }))
    },
    () => json(500, { code: 'E_NO_ANSWER', message: 'the mail could not be read' }),
  )
}
