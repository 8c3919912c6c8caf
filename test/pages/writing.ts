import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type Api, clientOf, newArticle, rowsIn } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { type Browser, type Context, openBrowser, type Page } from '../support/playwright.ts'
import { targetOf } from '../support/stack.ts'
import { type Gallery, openGallery } from './gallery.ts'

/** Presses a key that moves the cursor. The browser reports the new place to the editor in a task after the key, before the next frame. */
export const moveCursor = async (page: Page, key: string): Promise<void> => {
  await page.keyboard.press(key)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Saves the text, and waits for the article's page. */
export const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
}

/** Errors that the browser logs of pictures which do not exist, and of styles in what was pasted, which the page never applies. */
const EXPECTED = /img\.example|Applying inline style/

/** An article that a person writes in a real browser. */
export type Writing = {
  gallery: Gallery
  browser: Browser
  context: Context
  api: Api
  article: number
  /** Path of the article's page. */
  path: string
  /** Opens the editor, with another text if one is given. The cursor is at the beginning of its first block. */
  open: (content?: string) => Promise<{ page: Page; faults: string[] }>
  /** Gives the browser the person's session. */
  signIn: () => Promise<void>
  contentOf: () => Promise<string>
  /** Deletes the text that was typed and not saved. */
  forget: () => Promise<unknown>
  close: () => Promise<void>
}

/** Opens a service with an article, and a browser. */
export const openWriting = async (): Promise<Writing> => {
  const [gallery, browser] = await Promise.all([openGallery(), openBrowser()])
  const target = targetOf(gallery.stack)
  const [owner] = await rowsIn<{ id: number }>(
    target,
    sql`select account_id as id from projects where id = ${gallery.project}::int`,
  )
  const api = manyKeys(target, clientOf(gallery.stack.url, gallery.key, Number(owner?.id)))
  const article = await newArticle(api, gallery.project)
  const extraHTTPHeaders = { 'cf-connecting-ip': `pages-${randomBytes(6).toString('hex')}` }
  const context = await browser.newContext({ extraHTTPHeaders })
  const signIn = () => context.addCookies(gallery.cookies.map((one) => ({ ...one, url: gallery.stack.url })))
  await signIn()
  const path = `/p/${gallery.project}/articles/${article}`
  const open = async (content?: string) => {
    if (content !== undefined) expect((await api.put(`/articles/${article}`, { content })).status).toBe(200)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text() + message.location().url))
        faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${gallery.stack.url}${path}/edit`)
    await page.locator('.ProseMirror > * >> nth=0').click({ position: { x: 2, y: 5 } })
    await moveCursor(page, 'Home')
    return { page, faults }
  }
  return {
    ...{ gallery, browser, context, api, article, path, open, signIn },
    forget: () => rowsIn(target, sql`delete from article_drafts where article_id = ${article}::int`),
    contentOf: async () => (await api.get(`/articles/${article}`)).body.Content as string,
    close: async () => {
      await browser.close()
      await gallery.close()
    },
  }
}
