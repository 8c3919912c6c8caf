import { findChromium } from '../../local/browser/chromium.ts'
import { load } from './installed.ts'

/** The part of Playwright that is used here. */
type Locator = {
  click: (options?: { position: { x: number; y: number } }) => Promise<void>
  fill: (text: string) => Promise<void>
  selectOption: (value: string) => Promise<unknown>
  textContent: () => Promise<string | null>
  waitFor: () => Promise<void>
  setInputFiles: (file: { name: string; mimeType: string; buffer: Buffer }) => Promise<void>
}
type ConsoleMessage = { type: () => string; text: () => string; location: () => { url: string } }
type Frame = { parentFrame: () => Frame | null }
type Response = { url: () => string; frame: () => Frame; body: () => Promise<Buffer> }
export type Page = {
  on: ((event: 'console', run: (message: ConsoleMessage) => void) => void) &
    ((event: 'pageerror', run: (error: Error) => void) => void) &
    ((event: 'response', run: (response: Response) => void) => void)
  keyboard: { type: (text: string) => Promise<void>; press: (key: string) => Promise<void> }
  close: () => Promise<void>
  goto: (url: string) => Promise<{ status: () => number } | null>
  url: () => string
  getByRole: (role: string, options: { name: string; exact?: boolean }) => Locator
  getByLabel: (text: string) => Locator
  getByText: (text: string) => Locator
  locator: (selector: string) => Locator
  waitForURL: (test: (url: URL) => boolean) => Promise<void>
  evaluate: <Result>(script: string) => Promise<Result>
  screenshot: (options: { path?: string; fullPage: boolean }) => Promise<Uint8Array>
  setViewportSize: (size: { width: number; height: number }) => Promise<void>
  emulateMedia: (media: { colorScheme?: 'light' | 'dark'; forcedColors?: 'active' | 'none' }) => Promise<void>
  frameLocator: (selector: string) => { locator: (selector: string) => Locator }
}
type Cookie = { name: string; value: string; url: string }
/** A session with a page by Chromium's own protocol. */
type Protocol = { send: (method: string, params?: object) => Promise<unknown> }
export type Context = {
  newCDPSession: (page: Page) => Promise<Protocol>
  newPage: () => Promise<Page>
  addCookies: (cookies: Cookie[]) => Promise<void>
  clearCookies: () => Promise<void>
  close: () => Promise<void>
}
export type Browser = {
  newContext: (options?: { javaScriptEnabled?: boolean; extraHTTPHeaders?: Record<string, string> }) => Promise<Context>
  close: () => Promise<void>
}
type Playwright = { chromium: { launch: (options: object) => Promise<Browser> } }

/** Returns a real browser, as people have one. */
export const openBrowser = async (): Promise<Browser> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('no Chromium is installed')
  const { chromium } = await load<Playwright>('playwright-core/index.mjs')
  return await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}
