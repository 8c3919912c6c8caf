import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { neonRunner } from '../../local/database.ts'
import { ROOT } from '../../local/root.ts'
import { keyFor, OWNER } from '../../local/start/database.ts'
import { makeSample } from '../../local/start/sample.ts'
import { signUp, type Visitor } from '../accounts/people/browser.ts'
import { rowsIn } from '../support/client.ts'
import { type Browser, openBrowser, type Page } from '../support/playwright.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import { PICTURES } from './gallery.ts'

/** Folder of the pictures that the pages are compared with. `PICTURES=new` makes them again. */
const KEPT = join(ROOT, 'test/pages/kept')

/** Height of a picture in px: small, so that letters of another font or version of Chromium make no difference. */
const HIGH = 200
/** Difference of a point's red, green or blue that counts, of 255. */
const SEEN = 24
/** Most values that may differ, as a share. */
const MOST = 0.02

/** `framed` is a heading in the page's frame, which comes after the page. */
type View = { path: string; width?: number; colorScheme?: 'light' | 'dark'; framed?: string }

let stack: TestStack
let browser: Browser
let person: Visitor
let views: Record<string, View>

const articleCalled = async (title: string): Promise<number> => {
  const [article] = await rowsIn<{ id: number }>(
    targetOf(stack),
    sql`select id from articles where title = ${title} order by id limit 1`,
  )
  return article?.id ?? 0
}

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startTestStack(), openBrowser()])
  const run = neonRunner(stack.connectionString, stack.neon.url)
  await keyFor(run, undefined)
  const project = await makeSample(stack, run, {})
  ;({ person } = await signUp({ url: stack.url, mailUrl: stack.mail.url }, { email: OWNER }))
  // In a month of their own, so that each day has the same place.
  await rowsIn(
    targetOf(stack),
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at)
      select account_id, id, 'Planned', 'Shed care ' || n, 'shed care ' || n, 'shed-care-' || n, '', timestamptz '2031-05-05 09:00Z' + n * interval '3 days'
      from projects, generate_series(1, 6) n where id = ${project}::int`,
  )
  const [suggestion] = await rowsIn<{ id: number }>(
    targetOf(stack),
    sql`select id from suggestions where project_id = ${project}::int and status = 'ready' order by id limit 1`,
  )
  const site = `/p/${project}`
  const failed = `${site}/articles/${await articleCalled('Locks that keep a shed shut')}`
  views = {
    overview: { path: site },
    'overview-phone': { path: site, width: 360, colorScheme: 'dark' },
    calendar: { path: `${site}/calendar?month=2031-05` },
    'failed-article': { path: failed, framed: 'h1' },
    rewrite: { path: `${site}/suggestions/${suggestion?.id}` },
    settings: { path: `${site}/settings`, colorScheme: 'dark' },
  }
})

afterAll(async () => {
  await browser?.close()
  await stack?.close()
})

const pageFor = async ({ path, width = 1280, colorScheme = 'light', framed }: View): Promise<Page> => {
  const context = await browser.newContext()
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: stack.url })))
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
  expect((await page.goto(stack.url + path))?.status()).toBe(200)
  if (framed) await page.frameLocator('iframe').locator(framed).waitFor()
  return page
}

const shrunk = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture).resize({ height: HIGH }).removeAlpha().png().toBuffer()

/** Returns the share of values in which two pictures differ; 1 if their sizes differ. */
const difference = async (one: Buffer, other: Buffer): Promise<number> => {
  const [a, b] = await Promise.all([one, other].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()))
  if (!a || !b || a.length !== b.length) return 1
  return a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > SEEN).length / a.length
}

it.each(['overview', 'overview-phone', 'calendar', 'failed-article', 'rewrite', 'settings'])(
  '%s looks as in its kept picture',
  async (name) => {
    const page = await pageFor(views[name] ?? { path: '/' })
    const [now, kept] = [await shrunk(await page.screenshot({ fullPage: false })), join(KEPT, `${name}.png`)]
    await page.close()
    if (process.env.PICTURES === 'new') {
      mkdirSync(KEPT, { recursive: true })
      writeFileSync(kept, now)
    }
    mkdirSync(PICTURES, { recursive: true })
    writeFileSync(join(PICTURES, `compared-${name}.png`), now)
    expect(await difference(now, readFileSync(kept))).toBeLessThanOrEqual(MOST)
  },
)
