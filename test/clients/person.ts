import { linkIn, mailTo, newEmail } from '../accounts/people/browser.ts'
import type { Browser } from '../support/playwright.ts'

export type Person = {
  email: string
  /** Opens a link of an application, signs in if needed, and authorizes it to write. Returns the consent page's text, or throws that of another page. */
  letIn: (link: string) => Promise<string>
  /** Ends the application of that name on the page of connected applications. */
  end: (name: string) => Promise<void>
  close: () => Promise<void>
}

/** Returns a new person with their own browser profile. */
export const newPerson = async (browser: Browser, stack: { url: string; mailUrl: string }): Promise<Person> => {
  const email = newEmail()
  const context = await browser.newContext()
  const page = await context.newPage()
  const own = new URL(stack.url).origin
  const pathname = () => new URL(page.url()).pathname

  const signIn = async () => {
    await page.getByRole('link', { name: 'Sign in with a link by mail' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.goto(linkIn(await mailTo(stack.mailUrl, email, /^Sign in/)))
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  return {
    email,
    letIn: async (link) => {
      await page.goto(link)
      if (pathname() === '/sign-in') await signIn()
      await page.waitForURL(({ origin, pathname }) => origin !== own || pathname === '/oauth/authorize')
      const question = (await page.locator('body').textContent()) ?? ''
      if (!question.includes('Let an application in?')) throw new Error(question)
      await page.getByLabel('Read and change').click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(({ origin }) => origin !== own)
      return question
    },
    end: async (name) => {
      await page.goto(`${stack.url}/settings/applications`)
      await page.getByRole('button', { name: `End ${name}`, exact: true }).click()
      await page.getByRole('button', { name: 'End the application' }).click()
      await page.waitForURL(({ pathname }) => pathname === '/settings/applications')
      const said = (await page.locator('main').textContent()) ?? ''
      if (!said.includes('has no access any more')) throw new Error(said)
    },
    close: () => context.close(),
  }
}
