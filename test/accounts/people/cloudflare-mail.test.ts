import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/patience.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { linkIn, mailsTo, mailTo, newEmail, visitor } from './browser.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ vars: { MAIL_PROVIDER: 'cloudflare', MAIL_API_KEY: '' } })
})
afterAll(() => stack.close())

it('people sign up with Cloudflare’s Email Service; a mail that may have arrived is repeated only on request', async () => {
  const person = visitor(stack.url)
  const email = newEmail()
  await person.post('/sign-up', { email })
  expect(linkIn(await mailTo(stack.mail.url, email, /^Confirm/))).toContain('/verify?token=')

  const [again, lost] = [visitor(stack.url), newEmail()]
  stack.mail.faults.set([{ path: '/_binding', body: lost, drop: 'after', times: 1 }])
  await again.post('/sign-up', { email: lost })
  await vi.waitFor(
    async () => expect((await again.get('/sign-in/mail')).text).toContain('The mail may not have been sent'),
    { timeout: PATIENCE_MS },
  )
  expect(await mailsTo(stack.mail.url, lost)).toHaveLength(1)
  await again.post('/sign-in/mail', {})
  await vi.waitFor(async () => expect(await mailsTo(stack.mail.url, lost)).toHaveLength(2), { timeout: PATIENCE_MS })

  const [refused, nobody] = [visitor(stack.url), newEmail()]
  stack.mail.faults.set([
    { path: '/_binding', body: nobody, status: 400, answer: { code: 'E_RECIPIENT_SUPPRESSED', message: 'suppressed' } },
  ])
  await refused.post('/sign-up', { email: nobody })
  await vi.waitFor(async () => expect((await refused.get('/sign-in/mail')).text).toContain('The mail was not sent'), {
    timeout: PATIENCE_MS,
  })
})
