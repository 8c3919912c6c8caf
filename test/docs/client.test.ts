import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { createGalley, each, type Galley, GalleyError } from '../../packages/client/src/index.ts'
import { CLIENT } from '../../scripts/client/description.ts'
import { generatedClient } from '../../scripts/client/generate.ts'
import { until } from '../reach/social/scene.ts'
import { newAccount } from '../support/client.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const LINTERS = process.env.LINTERS ?? ''
const run = promisify(execFile)

const PACKAGE = join(ROOT, 'packages/client')
const MAX_GZIPPED = 12 * 1024

describe('the package of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-client-package-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is what the generator makes of the description', () => {
    expect(readFileSync(join(ROOT, CLIENT), 'utf8')).toBe(generatedClient())
  })

  it('weighs at most 12 KB gzipped', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(PACKAGE, 'src/index.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      write: false,
    })
    expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThan(MAX_GZIPPED)
  })

  it('has nothing that publint or "Are the types wrong?" find', async () => {
    await run('npm', ['pack', './packages/client', '--silent', '--pack-destination', folder], { cwd: ROOT })
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
    const packed = join(folder, `galley-client-${version}.tgz`)
    const publint = await run(join(LINTERS, 'node_modules/.bin/publint'), [packed, '--strict'])
    expect(publint.stdout).toContain('All good!')
    const attw = join(LINTERS, 'node_modules/.bin/attw')
    const told = await run(attw, [packed, '--profile', 'esm-only', '--format', 'ascii', '--no-color'])
    expect(told.stdout).toMatch(/node16 \(from ESM\): 🟢[\s\S]*bundler: 🟢/)
  })
})

const stack = inject('stack')

/** The steps of `npm run demo`, with the client. */
describe('the client walks the steps of the demo', () => {
  let galley: Galley
  let receiver: Receiver
  let project: number
  let article: number

  beforeAll(async () => {
    const { key } = await newAccount(stack, { plan: 'pro', projects: 2, credits: 3 })
    galley = createGalley({ url: stack.url, key })
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  it('makes a project once, and reads its context', async () => {
    const body = { website_url: 'https://client-bakery.example', business_name: 'My Bakery', timezone: 'Europe/Paris' }
    const made = await galley.projectsCreate({ body })
    project = made.project_id
    expect((await galley.projectsCreate({ body })).project_id).toBe(project)
    const ids: number[] = []
    for await (const { ID } of each(galley, 'projectsList')) ids.push(ID)
    expect(ids).toEqual([project])
    expect(await galley.businessContextGet({ query: { project_id: project } })).toMatchObject({
      business_name: 'My Bakery',
    })
  })

  it('connects a receiver and sends it a test', async () => {
    const body = { platform: 'webhook', url: `${receiver.url}/hook`, access_token: 'client-token' } as const
    const connected = await galley.integrationsConnect({ path: { id: project }, body })
    receiver.secret = String(connected.signing_secret)
    const tested = await galley.integrationsTest({ path: { id: connected.integration_id } })
    expect(tested.status).toBe('ok')
  })

  it('saves an article once under one key, and reads its brief', async () => {
    const body = {
      project_id: project,
      keyword: 'sourdough starter',
      content: '<h2>Day one</h2><p>Flour and water.</p>',
    }
    const call = () => galley.articlesCreate({ body }, { idempotencyKey: 'client-walk', envelope: true })
    const [first, again] = [await call(), await call()]
    article = first.data.article_id
    expect(again.data.article_id).toBe(article)
    expect(again.response.headers.get('idempotency-replayed')).toBe('true')
    expect((await galley.articlesBrief({ path: { id: article } })).targets.word_count).toBeGreaterThan(0)
  })

  it('publishes it exactly once', async () => {
    const published = await galley.articlesPublish({ path: { id: article } })
    expect(published).toMatchObject({ status: 'published', url: `${receiver.url}/sourdough-starter` })
    expect(await galley.articlesPublish({ path: { id: article } })).toEqual(published)
    expect(receiver.seen.filter((one) => one.article === String(article))).toHaveLength(1)
  })

  it('has notes written out', async () => {
    const source_content = '## Feeding\nFeed it every 24 hours with 50 g of flour.\n\n## Warmth\nKeep it at 25 °C.'
    const begun = await galley.articlesGenerate({
      body: { project_id: project, keyword: 'feeding starter', source_content },
    })
    const written = await until(async () => {
      const read = await galley.articlesGet({ path: { id: begun.article_id } })
      return read.Status === 'Generating' ? undefined : read
    })
    expect([written.Status, written.Content]).toEqual(['Draft', expect.stringContaining('50 g')])
  })

  it('sees an outage through', async () => {
    receiver.broken = 503
    const body = { project_id: project, keyword: 'rye bread', content: '<h2>Rye</h2><p>Rye flour and water.</p>' }
    const { article_id: id } = await galley.articlesCreate({ body })
    expect(await galley.articlesPublish({ path: { id } })).toMatchObject({ status: 'retrying' })
    receiver.broken = undefined
    const live = await until(async () => {
      const read = await galley.articlesGet({ path: { id } })
      return read.Status === 'Published' ? read : undefined
    })
    expect(live.Url).toBe(`${receiver.url}/rye-bread`)
  })

  it('throws a refusal with what to do next', async () => {
    const error = await galley
      .articlesRestore({ path: { id: article, revision: 1 }, body: {} })
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(GalleyError)
    expect(error).toMatchObject({ status: 400, code: 'published_article', retryable: false })
    expect(error.nextCalls[0]).toMatchObject({
      method: 'POST',
      path: `/articles/${article}/revisions/1/restore`,
      body: { sync: true },
    })
  })
})
