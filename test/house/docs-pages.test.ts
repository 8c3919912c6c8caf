import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { docsApp } from '../../functions/docs/app.tsx'
import { ROOT } from '../../local/root.ts'
import { highlighted } from '../../src/pages/docs/highlight.ts'
import { MENUS, menuOf } from '../../src/pages/docs/menu.ts'
import { VERSION } from '../../src/platform/lib/version.generated.ts'

const DOCUMENTS = {
  fetch: async (url: string) => new Response(readFileSync(join(ROOT, 'docs', new URL(url).pathname), 'utf8')),
}
const app = docsApp()

const pageAt = async (path: string, env: object = {}): Promise<string> => {
  const bound = { DOCUMENTS, PUBLIC_URL: 'https://api.example.com', ...env }
  return await (await app.request(path, {}, bound)).text()
}

it('a page has what is before and after it, its contents, and a menu before the text', async () => {
  const page = await pageAt('/docs/how/control')
  expect(page).toMatch(/<a rel="prev" href="\/docs\/how\/articles">/)
  expect(page).toMatch(/<a rel="next" href="\/docs\/how\/accounts">/)
  const [, contents = ''] = /<nav class="contents".*?>(.*?)<\/nav>/s.exec(page) ?? []
  expect([...contents.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)).toContain('taking-changes-back')
  expect(page.indexOf('<nav class="menu"')).toBeLessThan(page.indexOf('<main'))
  expect(page).toMatch(/<nav class="menu"[^>]*><details><summary>/)
})

it('the first page of a menu has nothing before it, and the last nothing after it', async () => {
  for (const { parts } of MENUS) {
    const entries = parts.flatMap((part) => part.entries)
    expect(await pageAt(`/docs/${entries[0]?.path}`)).not.toContain('rel="prev"')
    expect(await pageAt(`/docs/${entries.at(-1)?.path}`)).not.toContain('rel="next"')
  }
})

it('each kind of reader has a menu of their own, with the way to the others', async () => {
  const menuAt = async (path: string) => /<nav class="menu".*?<\/nav>/s.exec(await pageAt(path))?.[0] ?? ''
  for (const { path, parts } of MENUS) {
    const menu = await menuAt(`/docs/${path}`)
    for (const { entries } of parts) for (const one of entries) expect(menu).toContain(`href="/docs/${one.path}"`)
    for (const other of MENUS) expect(menu).toContain(`href="/docs/${other.path}"`)
  }
  expect(await menuAt('/docs/guides/wordpress')).not.toContain('/docs/operations/deploy')
  expect(menuOf('operations/costs').name).toBe('operators')
})

it('a page names the release and its date, and where mistakes are reported', async () => {
  const page = await pageAt('/docs/quickstart', {
    CONTACT: 'help@galley.example',
    RELEASE: { timestamp: '2026-11-28T10:00:00Z' },
  })
  expect(page).toContain(`Galley ${VERSION}, 28 November 2026`)
  expect(page).toContain('href="mailto:help@galley.example?subject=Documents%3A%20Quickstart"')
  const linked = await pageAt('/docs/quickstart', { CONTACT: 'https://galley.example/report' })
  expect(linked).toContain('<a href="https://galley.example/report">Report a mistake')
  expect(await pageAt('/docs/quickstart')).not.toContain('Report a mistake')
})

it('code is marked without a script, and a script of the same origin adds the button that copies it', async () => {
  const page = await pageAt('/docs/guides/receiver')
  expect(page).toMatch(/<span class="keyword">import<\/span>/)
  expect(page).toContain('<p class="file"><code>receiver.mjs</code></p>')
  expect([...page.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
    ' src="/docs/copy.js" defer=""',
  ])
  expect(await pageAt('/docs/copy.js')).toContain('navigator.clipboard')
})

it.each([
  [
    'sh',
    'curl "$A/b" # c',
    '<span class="keyword">curl</span> <span class="text">&quot;$A/b&quot;</span> <span class="comment"># c</span>',
  ],
  ['sh', 'A=b#c', 'A=b#c'],
  [
    'ts',
    "const a = 'x' // <y>",
    '<span class="keyword">const</span> a = <span class="text">\'x\'</span> <span class="comment">// &lt;y&gt;</span>',
  ],
  [
    'json',
    '{"a": "b", "c": true}',
    '{<span class="keyword">&quot;a&quot;</span>: <span class="text">&quot;b&quot;</span>, <span class="keyword">&quot;c&quot;</span>: <span class="keyword">true</span>}',
  ],
  ['csv', 'a,"<b>"', 'a,&quot;&lt;b&gt;&quot;'],
])('marks the %s %s', (language, code, html) => {
  expect(highlighted(code, language)).toBe(html)
})
