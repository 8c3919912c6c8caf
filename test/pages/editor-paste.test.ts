import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { picture } from '../content/media/pictures.ts'
import type { Page } from '../support/playwright.ts'
import { moveCursor, openWriting, save, type Writing } from './writing.ts'

const CLIPBOARD = join(ROOT, 'test/pages/clipboard')
const PROGRAMS = readdirSync(CLIPBOARD).flatMap((name) => /^([a-z-]+)\.pasted$/.exec(name)?.[1] ?? [])

let writing: Writing
let pictures: Server
let origin: string
let png: Buffer

beforeAll(async () => {
  png = await picture({ width: 30, height: 20, format: 'png' })
  pictures = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png))
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
  writing = await openWriting()
})

afterAll(async () => {
  await writing?.close()
  pictures?.close()
})

type Clipboard = Readonly<Record<string, string>>

/** Script that makes a file of the picture. */
const fileScript = (name: string): string =>
  `new File([Uint8Array.from(atob(${JSON.stringify(png.toString('base64'))}), (c) => c.charCodeAt(0))], ${JSON.stringify(name)}, { type: 'image/png' })`

/** Pastes into the editor, as a browser does. */
const paste = (page: Page, clipboard: Clipboard, files: readonly string[] = []): Promise<void> =>
  page.evaluate(`{
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(clipboard)})) data.setData(type, text)
    for (const file of [${files.map(fileScript).join(',')}]) data.items.add(file)
    document.querySelector('.ProseMirror').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)

/** Waits until no picture is being sent. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    const look = () => document.querySelector('.waiting:not(.missing)') ? requestAnimationFrame(look) : done()
    look()
  })`)

const replaceAll = async (page: Page, clipboard: Clipboard): Promise<void> => {
  await moveCursor(page, 'Control+a')
  await paste(page, clipboard)
}

const saved = async (): Promise<string> =>
  (await writing.contentOf()).replaceAll(/http[^"]*\/media\/[\da-f]{64}\.png/g, 'MEDIA').replaceAll('\n', '')

const rtf = (): string =>
  `{\\rtf1\\ansi Sheds {\\*\\shppict{\\pict{\\*\\picprop}\\picscalex100\\picw30\\pich20\\pngblip\\bliptag-1{\\*\\blipuid 4f0a}${png.toString('hex').replaceAll(/(.{64})/g, '$1\r\n')}}}}`

/** Words of the report on a paste, by program. */
const REPORTS: Readonly<Record<string, RegExp>> = {
  word: /2 lists of Word are lists here\. An empty line was left out\. A picture is being copied\./,
  'google-docs': /Bold and italic were kept; fonts and colours were not\. .*A picture is being copied\./,
  pages: /does not have a picture: Unknown\.png\. Drop the file where it is missing\./,
  gmail: /does not have a picture: shed\.jpg\./,
}

describe('what is pasted', () => {
  it.each(PROGRAMS)('from %s is saved as it looked', async (program) => {
    const html = readFileSync(join(CLIPBOARD, `${program}.pasted`), 'utf8').replaceAll('PICTURES', origin)
    const wanted = readFileSync(join(CLIPBOARD, `${program}.saved`), 'utf8').replaceAll('\n', '')
    const { page, faults } = await writing.open()
    await replaceAll(page, {
      'text/html': html,
      'text/plain': 'Sheds',
      ...(program === 'word' ? { 'text/rtf': rtf() } : {}),
    })
    expect(await page.locator('#editor-said').textContent()).toMatch(REPORTS[program] ?? /^/)
    await settled(page)
    await save(page)
    expect(await saved()).toBe(wanted)
    expect(faults).toEqual([])
    await page.close()
  })

  it('in Markdown is read as formatted text', async () => {
    const { page, faults } = await writing.open()
    await replaceAll(page, { 'text/plain': '## Sheds\n\nMeasure **twice**.\n\n- wood\n- steel\n' })
    await page.locator('.ProseMirror h2:text-is("Sheds")').waitFor()
    expect(await page.locator('#editor-said').textContent()).toContain('Markdown was read as formatted text.')
    await save(page)
    expect(await saved()).toBe(
      '<h2>Sheds</h2><p>Measure <strong>twice</strong>.</p><ul><li>wood</li><li>steel</li></ul>',
    )
    expect(faults).toEqual([])
    await page.close()
  })

  it('and has no markup stays plain', async () => {
    const { page } = await writing.open()
    await replaceAll(page, { 'text/plain': 'A shed - or two * three.\n\nSecond # line' })
    await save(page)
    expect(await saved()).toBe('<p>A shed - or two * three.</p><p>Second # line</p>')
    await page.close()
  })
})

describe('pictures', () => {
  it('are taken from the clipboard, a drop and a button, with a text for each', async () => {
    const { page, faults } = await writing.open('<p>First.</p>')
    await paste(page, {}, ['pasted.png'])
    await page.locator('.ProseMirror img[src]').waitFor()
    await page.getByLabel('What the picture shows').fill('Pasted')
    await page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(${fileScript('dropped.png')})
      const { left, bottom } = document.querySelector('.ProseMirror').getBoundingClientRect()
      document.querySelector('.ProseMirror').dispatchEvent(new DragEvent('drop', { dataTransfer: data, clientX: left + 40, clientY: bottom - 20, bubbles: true, cancelable: true }))
    }`)
    await page.locator('.ProseMirror img[src] >> nth=1').waitFor()
    await page.getByLabel('What the picture shows').fill('Dropped')
    await page.locator('#picture-file').setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: png })
    await page.locator('.ProseMirror img[src] >> nth=2').waitFor()
    expect(await page.locator('#editor-undescribed').textContent()).toBe('A picture has no description')
    await page.getByLabel('What the picture shows').fill('Chosen')
    await save(page)
    for (const alt of ['Pasted', 'Dropped', 'Chosen']) expect(await saved()).toContain(`<img src="MEDIA" alt="${alt}">`)
    expect(faults).toEqual([])
    await page.close()
  })

  it('that are too large or no pictures are refused with the reason, and can be chosen again', async () => {
    const { page } = await writing.open('<p>First.</p>')
    const choose = (name: string, buffer: Buffer) =>
      page.locator('#picture-file').setInputFiles({ name, mimeType: 'image/png', buffer })
    await choose('huge.png', Buffer.alloc(12 * 1024 * 1024 + 1))
    await page.locator('.waiting.missing:has-text("huge.png has 12.0 MB. A picture may have at most 12 MB.")').waitFor()
    await page.getByRole('button', { name: 'Leave it out' }).click()
    await choose('broken.png', Buffer.from('no picture'))
    await page.locator('.waiting.missing:has-text("none of JPG, PNG, WebP and GIF")').waitFor()
    await page.getByRole('button', { name: 'Leave it out' }).click()
    await save(page)
    expect(await saved()).toBe('<p>First.</p>')
    await page.close()
  })
})
