import { proveProviders } from '../check-providers.ts'
import { whyNoMail } from '../checks/mail.ts'
import { onDatabase } from '../migrations.ts'
import type { Plan } from '../plan.ts'
import { proveAgents } from './agents.ts'
import { proveArticle } from './article.ts'
import { openCaller } from './caller.ts'
import { proveMail } from './mail.ts'
import { proveQueue } from './queue.ts'
import { waitUntilReady } from './ready.ts'
import { deployReceiver } from './receiver.ts'

/**
 * Proves that the deployed service works, from readiness to the receipt of a published article. Throws a DeployFault.
 *
 * It also sends a signed job through QStash, and a mail if mail is set up. In the end it removes the receiver,
 * revokes the key and suspends the account.
 */
export const prove = async (plan: Plan, say: (text: string) => void): Promise<void> => {
  const { settings, to, account } = plan
  await waitUntilReady(to.publicUrl, say)
  const agents = await proveAgents(to.publicUrl)
  say(`Proof       nothing in front of the service refuses ${agents.join(', ')}`)
  await onDatabase(plan.directUrl, async (run) => {
    const caller = await openCaller(run, to.publicUrl)
    try {
      await proveQueue(settings, run, caller.accountId, to.publicUrl)
      say('Proof       a signed job arrived through QStash and ran')
      if (whyNoMail(settings) === undefined) {
        const address = await proveMail(settings, run, to.publicUrl)
        say(`Proof       a mail to ${address} was accepted`)
      }
      await proveProviders(settings, run, to.publicUrl, say)
      const receiver = await deployReceiver(account, to.environment)
      try {
        const url = await proveArticle(caller, receiver)
        say(`Proof       an article was published, and its page was checked: ${url}`)
      } finally {
        await receiver.remove()
      }
    } finally {
      await caller.leave()
    }
  })
}
