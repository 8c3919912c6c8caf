import { afterAll, beforeAll, expect, it } from 'vitest'
import { atFreePort } from '../../local/start/ports.ts'
import { signUp } from '../accounts/people/browser.ts'
import { type Browser, type Context, openBrowser, type Page } from '../support/playwright.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const PASSWORD = 'correct horse battery'

let stack: TestStack
let url: string
let browser: Browser

beforeAll(async () => {
  // Passkeys are for names of hosts: browsers make none for 127.0.0.1.
  const opening = atFreePort((port) => startTestStack({ port, vars: { PUBLIC_URL: `http://localhost:${port}` } }))
  ;[stack, browser] = await Promise.all([opening, openBrowser()])
  url = `http://localhost:${stack.port}`
})

afterAll(async () => {
  await browser?.close()
  await stack?.close()
})

/** Opens a page in a browser whose device can store passkeys and confirms its person. */
const withDevice = async (context: Context): Promise<Page> => {
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

const press = async (page: Page, name: string, to: string) => {
  await page.getByRole('button', { name, exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname === to)
}

it('a real browser adds a passkey, signs in with it, removes it, and is refused after that', async () => {
  const { email } = await signUp({ url, mailUrl: stack.mail.url }, { password: PASSWORD })
  const context = await browser.newContext({ extraHTTPHeaders: { 'cf-connecting-ip': 'pages-passkeys' } })
  const page = await withDevice(context)
  const errors: string[] = []
  // The page that asks for the password is a 403, which Chromium notes too.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('403 (Forbidden)')) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))

  await page.goto(`${url}/sign-in?next=/settings/passkeys`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in', '/settings/passkeys')
  await page.getByLabel('A name to know it by').fill('My laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  // The page that asks for the device has the address of the page it leads to.
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('The passkey is added.').waitFor()
  expect(await page.locator('table').textContent()).toContain('My laptop')

  await press(page, 'Sign out', '/sign-in')
  await page.goto(`${url}/sign-in/passkey?next=/settings/passkeys`)
  await press(page, 'Sign in', '/settings/passkeys')
  expect(await page.locator('.who').textContent()).toBe(email)

  await page.getByRole('button', { name: 'Remove the passkey My laptop' }).click()
  await press(page, 'Remove it', '/settings/passkeys')
  expect(await page.locator('main').textContent()).toContain('You have no passkeys yet')
  await press(page, 'Sign out', '/sign-in')
  await page.goto(`${url}/sign-in/passkey`)
  expect(errors, 'nothing breaks the policy of the pages').toEqual([])
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The passkey was not accepted, and nothing was changed').waitFor()
  await context.close()
})

it('a browser without a passkey says so, and without scripts the page names the other ways', async () => {
  const context = await browser.newContext()
  const page = await withDevice(context)
  await page.goto(`${url}/sign-in/passkey`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The device gave no passkey, so nothing was changed').waitFor()
  await context.close()
  const without = await browser.newContext({ javaScriptEnabled: false })
  const plain = await without.newPage()
  await plain.goto(`${url}/sign-in/passkey`)
  const text = await plain.locator('main').textContent()
  expect(text).toContain('Passkeys need scripts')
  expect(text).toContain('Sign in another way')
  await without.close()
})
