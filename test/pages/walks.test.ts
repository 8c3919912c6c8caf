import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkIn, mailTo, newEmail, newOwner } from '../accounts/people/browser.ts'
import { pngOf } from '../content/media/pictures.ts'
import { newArticle, newProject, rowsIn } from '../support/client.ts'
import { type Browser, openBrowser } from '../support/playwright.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import { watch } from './conditions.ts'

let stack: TestStack
let browser: Browser

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startTestStack(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.close()
})

/** Returns a page of a new browser session, and a person who counts the links and buttons that they press. */
const newWalk = async (cookies: Iterable<[string, string]> = []) => {
  const extraHTTPHeaders = { 'cf-connecting-ip': `walks-${randomBytes(6).toString('hex')}` }
  const context = await browser.newContext({ extraHTTPHeaders })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: stack.url })))
  const page = await context.newPage()
  const { errors } = watch(page, stack.url)
  let steps = 0
  return {
    page,
    errors,
    steps: () => steps,
    open: async (url: string) => {
      steps += 1
      await page.goto(url)
    },
    press: async (role: 'link' | 'button', name: string) => {
      steps += 1
      await page.getByRole(role, { name, exact: true }).click()
    },
    close: () => context.close(),
  }
}

it('a new account pays, and has its first article published, in thirteen steps from the form to sign up', async () => {
  const [walk, email] = [await newWalk(), newEmail()]
  const { page, press } = walk
  await page.goto(`${stack.url}/sign-up`)
  await page.getByLabel('E-mail address').fill(email)
  await press('button', 'Create account')
  await walk.open(linkIn(await mailTo(stack.mail.url, email, /^Confirm/)))
  await page.getByLabel('Password').fill('correct horse battery')
  await press('button', 'Confirm')
  // The sum follows what is chosen.
  await page.locator('select[name=plan]').selectOption('pro')
  await page.locator('input[name=slots]').fill('3')
  await page.getByText('3 sites × $').waitFor()
  await page.locator('input[name=slots]').fill('1')
  await page.locator('select[name=plan]').selectOption('agentic')
  await press('button', 'Go on to payment')
  await press('button', 'Pay')
  await page.getByText('Thank you. Now add your site.').waitFor()
  // The event of the payment arrives automatically.
  const slots = () =>
    rowsIn(targetOf(stack), sql`select project_slots from accounts where lower(email) = ${email.toLowerCase()}`)
  await expect.poll(slots).toEqual([{ project_slots: 1 }])
  await page.getByLabel('Address of the site').fill('first.example')
  await press('button', 'Add the site')
  await page.getByLabel('Where articles are published').selectOption('webhook')
  await press('button', 'Connect it')
  await page.locator('input[name=url]').fill(`${stack.receiver.url}/webhook`)
  await page.locator('input[name=access_token]').fill(stack.receiverToken)
  await press('button', 'Connect Webhook')
  await press('link', 'Write one yourself')
  await page.getByLabel('Keyword').fill('bicycle lamps')
  await page.getByLabel('Title').fill('Bicycle lamps')
  await press('button', 'Plan it')
  await page.locator('#editor [contenteditable]').click()
  await page.keyboard.type('A lamp is seen before it sees.')
  await press('button', 'Save')
  await press('button', 'Publish now')
  await press('button', 'Publish it as it is')
  await page.getByText('Published. ').waitFor()
  const live = (await (await fetch(`${stack.receiver.url}/posts/bicycle-lamps`)).text()).includes('seen before it sees')
  expect([live, walk.errors]).toEqual([true, []])
  expect(walk.steps()).toBeLessThanOrEqual(13)
  await walk.close()
})

it('a picture of a new post is sent with progress, shown in the preview, and asks what it shows', async () => {
  const { api, person } = await newOwner({ ...targetOf(stack), mailUrl: stack.mail.url })
  const site = await newProject(api)
  const { body } = await api.post('/social/accounts', { project_id: site, platform: 'x' })
  await fetch(String(body.connect_url))
  const walk = await newWalk(person.cookies)
  const { page, press } = walk
  await page.goto(`${stack.url}/p/${site}/social/new`)
  await page.locator('textarea[name=content]').fill('A lamp is seen')
  const choose = (name: string, buffer: Buffer) =>
    page.locator('#picture-file').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('large.png', Buffer.alloc(12 * 1024 * 1024 + 1))
  await page.getByText('large.png has 12.0 MB. A picture may have at most 12 MB.').waitFor()
  await choose('lamp.png', pngOf(3, 2))
  await page.locator('input[name=alt0]').fill('A bicycle lamp')
  const shown = "[document.querySelectorAll('.card .thumb').length, document.activeElement.name]"
  expect(await page.evaluate(shown)).toEqual([1, 'alt0'])
  await press('button', 'Save as a draft')
  await page.getByText('The draft is saved.').waitFor()
  const alt = await page.evaluate("document.querySelector('.thumb').alt")
  expect([alt, walk.errors]).toEqual(['A bicycle lamp', []])
  await walk.close()
})

it('an agency with twelve sites reads in one press of a link why one fails, and is at the article with the second', async () => {
  const { api, person } = await newOwner({ ...targetOf(stack), mailUrl: stack.mail.url })
  const failing = await newProject(api, { business_name: 'Shop 09' })
  await rowsIn(
    targetOf(stack),
    sql`insert into projects (account_id, website_url, website_key, business_name)
      select ${api.accountId}::int, 'https://' || site, site, 'Shop ' || lpad(n::text, 2, '0')
      from generate_series(1, 12) n, lateral (select 'shop' || n || '.example' as site) named where n <> 9`,
  )
  const article = await newArticle(api, failing, { title: 'Lamps that last' })
  await rowsIn(
    targetOf(stack),
    sql`update articles set publish_state = 'failed', publish_error = 'The receiver answered HTTP 401 (The token has expired.).'
      where id = ${article}::int`,
  )
  const walk = await newWalk(person.cookies)
  const { page, press } = walk
  await page.goto(`${stack.url}/p`)
  const [first, count] = await page.evaluate<[string, number]>(
    "[document.querySelector('main tbody a').textContent, document.querySelectorAll('main tbody tr').length]",
  )
  expect([first, count]).toEqual(['Shop 09', 12])
  await press('link', first)
  const why = 'The site refused the saved password or token. Connect it again. It said: “The token has expired.”'
  await page.waitForURL(({ pathname }) => pathname === `/p/${failing}`)
  const worst = await page.evaluate<string>("document.querySelector('main .rows li').textContent")
  expect(worst).toContain(`Lamps that last${why}`)
  await press('link', 'See why: Lamps that last')
  await page.getByText('It did not go out.').waitFor()
  expect(await page.locator('main [role=alert]').textContent()).toContain(why)
  expect([walk.steps(), walk.errors]).toEqual([2, []])
  await walk.close()
})
