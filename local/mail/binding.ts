/** Path at which the stand-in of mails answers the binding. */
export const BINDING_PATH = '/_binding/send'

/**
 * Returns a Worker with the methods of Cloudflare's `send_email` binding
 * (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/). It throws errors with the codes named there.
 */
export const emailWorker = (mailUrl: string): string => `import { WorkerEntrypoint } from 'cloudflare:workers'
export default class extends WorkerEntrypoint {
  async send(mail) {
    const init = { method: 'POST', headers: { 'user-agent': 'Cloudflare', 'content-type': 'application/json' }, body: JSON.stringify(mail) }
    const response = await fetch('${mailUrl}${BINDING_PATH}', init)
    const answer = await response.json()
    if (!response.ok) throw Object.assign(new Error(answer.code + ': ' + answer.message), { code: answer.code })
    return { messageId: answer.messageId }
  }
}
`
