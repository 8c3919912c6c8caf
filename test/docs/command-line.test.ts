import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { picture } from '../content/media/pictures.ts'
import { type Api, anotherKey, newAccount } from '../support/client.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const stack = inject('stack')
const PROGRAM = join(ROOT, 'docs/downloads/galley.mjs')
const MAX_BYTES = 60 * 1024
const MAX_HELP_MS = 150

const home = mkdtempSync(join(tmpdir(), 'galley-command-line-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

type Ended = { code: number; out: string; err: string }

const galley = async (args: string[], input = ''): Promise<Ended> => {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, cwd: home })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

const answer = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, out, err } = await galley([...args, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe('the command line', () => {
  let receiver: Receiver
  let account: Api
  let project: number
  beforeAll(async () => {
    account = await newAccount(stack, { plan: 'pro', projects: 2 })
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  /** Logs in with a new key, which has all of its allowance of calls a minute. */
  const login = async () => {
    const { key } = await anotherKey(stack, account)
    return galley(['login', '--service', stack.url], `${key}\n`)
  }

  it('is one file of at most 60 KB that the service hands out', async () => {
    expect(statSync(PROGRAM).size).toBeLessThan(MAX_BYTES)
    const served = await fetch(`${stack.url}/docs/galley.mjs`)
    expect(await served.text()).toBe(readFileSync(PROGRAM, 'utf8'))
  })

  it('shows its help within 150 ms of work', () => {
    // Counts the work of the process, which does not depend on how busy the machine is.
    const count =
      'process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(String(user+system))})'
    const { stdout, stderr } = spawnSync(process.execPath, [
      '--import',
      `data:text/javascript,${count}`,
      PROGRAM,
      '--help',
    ])
    expect(String(stdout)).toContain('articles.publish')
    expect(Number(stderr) / 1000).toBeLessThan(MAX_HELP_MS)
  })

  it('asks for a login before anything else', async () => {
    expect(await galley(['account', 'get'])).toMatchObject({ code: 2, err: expect.stringContaining('galley login') })
    expect(await galley(['login', '--service', stack.url], 'gly_test_wrong')).toMatchObject({ code: 3 })
    const { code, err } = await login()
    expect([code, err]).toEqual([0, expect.stringContaining('Logged in with the key ')])
    expect(statSync(join(home, 'config/galley/config.json')).mode & 0o777).toBe(0o600)
  })

  it('publishes a first article', async () => {
    const made = await answer(
      'projects',
      'create',
      '--website-url',
      'https://cli-bakery.example',
      '--business-name',
      'My Bakery',
    )
    project = made.project_id as number
    const target = ['--platform', 'webhook', '--url', `${receiver.url}/hook`, '--access-token', 'cli-token']
    const connected = await answer('integrations', 'connect', String(project), ...target)
    receiver.secret = String(connected.signing_secret)
    const text = ['--keyword', 'sourdough starter', '--content', '<h2>Day one</h2><p>Flour and water.</p>']
    const { article_id: id } = await answer('articles', 'create', '--project-id', String(project), ...text)
    const published = await answer('articles', 'publish', String(id))
    expect(published).toMatchObject({ status: 'published', url: `${receiver.url}/sourdough-starter` })
    expect(await answer('articles.publish', String(id))).toEqual(published)
    expect(receiver.seen.filter(({ article }) => article === String(id))).toHaveLength(1)
    expect(await galley(['articles', 'get', String(id)])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Status: Published'),
    })
    expect(await galley(['watch', String(id)])).toMatchObject({
      code: 0,
      err: 'Published\n',
      out: expect.stringContaining('/sourdough-starter'),
    })
  })

  it('publishes a Markdown file with its images, once', async () => {
    writeFileSync(join(home, 'jar.png'), await picture({ width: 600, height: 400, format: 'png' }))
    copyFileSync(join(home, 'jar.png'), join(home, 'head.png'))
    const text = `---\nproject_id: ${project}\nkeyword: rye starter\ntitle: A Rye Starter\ntags: [rye, baking]\nimage: head.png\nlayout: post\n---\n## Days\n\nRye and water.\n\n![A jar](./jar.png)\n`
    writeFileSync(join(home, 'rye.md'), text)
    const { code, out, err } = await galley(['publish', './rye.md', '--json'])
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/left out: layout[\s\S]*Uploaded \.\/jar\.png[\s\S]*SEO \d+ of 100[\s\S]*error/),
    ])
    const { article_id: id, url } = JSON.parse(out) as { article_id: number; url: string }
    expect(url).toBe(`${receiver.url}/rye-starter`)
    const page = await (await fetch(url)).text()
    expect(page).toMatch(/<img [^>]*src="https?:\/\/[^"]+\.(?:png|webp)"/)
    expect(await answer('articles', 'get', String(id))).toMatchObject({
      Title: 'A Rye Starter',
      Tags: ['rye', 'baking'],
    })
    const again = await galley(['publish', './rye.md', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ article_id: id })
    expect(receiver.seen.filter(({ article }) => article === String(id))).toHaveLength(1)
  })

  const publish = async (file: string, text: string | undefined, ...options: string[]) => {
    if (text !== undefined) writeFileSync(join(home, file), text)
    const { code, out, err } = await galley(['publish', file, ...options, '--json'])
    return { code, err, body: out === '' ? {} : (JSON.parse(out) as Record<string, unknown>) }
  }
  const textOf = (file: string): string => readFileSync(join(home, file), 'utf8')
  const LOREM =
    'A barn of larch keeps the rain out for sixty years, if its feet stand dry and the wind can pass behind it. '

  it('changes the article of an edited file, and writes its id into the file', async () => {
    await login()
    const first = await publish('barn.md', `---\nproject_id: ${project}\n---\n# A Barn\n\n${LOREM}\n`)
    expect([first.code, first.err]).toEqual([0, expect.stringContaining('Wrote galley_id')])
    expect(textOf('barn.md')).toMatch(/^---\nproject_id: \d+\ngalley_id: \S+\/barn\.md\n---\n# A Barn\n/)
    const page = await (await fetch(String(first.body.url))).text()
    expect(page.match(/A Barn/g)?.length).toBeLessThan(3)
    const stored = await answer('articles', 'get', String(first.body.article_id))
    expect([stored.Title, stored.Content]).toEqual(['A Barn', expect.not.stringContaining('<h1')])

    writeFileSync(join(home, 'moved.md'), textOf('barn.md').replace('sixty', 'seventy').replace('A Barn', 'The Barn'))
    const second = await publish('moved.md', undefined)
    expect([second.code, second.err]).toEqual([0, expect.stringContaining('Sent content, title')])
    expect(second.body).toMatchObject({ article_id: first.body.article_id, status: 'synced' })
    expect(await answer('articles', 'get', String(first.body.article_id))).toMatchObject({
      Title: 'The Barn',
      Content: expect.stringContaining('seventy'),
    })
    expect((await publish('moved.md', undefined)).body).toMatchObject({ article_id: first.body.article_id })
    const { articles } = (await answer('articles', 'list', '--q', 'barn', '--all')) as { articles: unknown[] }
    expect(articles).toHaveLength(1)
  })

  it('prints the pages of a list as one JSON text', async () => {
    const all = (await answer('articles', 'list', '--all', '--limit', '1')) as { articles: unknown[]; count: number }
    expect(all.articles.length).toBeGreaterThan(1)
    expect(all.count).toBe(all.articles.length)
  })

  it('stops at a text unlike the stored one with both titles, unless it is to be updated', async () => {
    await login()
    const other = `---\nproject_id: ${project}\ngalley_id: ${/galley_id: (\S+)/.exec(textOf('barn.md'))?.[1]}\ntitle: Bees\n---\nHow to keep bees in a small town, from the first swarm in May to the honey in August.\n`
    const stopped = await publish('bees.md', other)
    expect([stopped.code, stopped.err]).toEqual([2, expect.stringMatching(/“The Barn”[\s\S]*“Bees”[\s\S]*--update/)])
    const updated = await publish('bees.md', undefined, '--update')
    expect([updated.code, updated.body.status]).toEqual([0, 'synced'])
  })

  it('saves but does not publish a text that another article has, unless it is published anyway', async () => {
    await login()
    const text = (id: string) =>
      `---\nproject_id: ${project}\ngalley_id: ${id}\ntitle: Huts ${id}\n---\n${Array.from({ length: 60 }, (_, n) => `Sentence ${n} about huts, their ${n} boards and the ${n} nails that hold them.`).join(' ')}\n`
    expect((await publish('one.md', text('one'))).code).toBe(0)
    const twin = await publish('two.md', text('two'))
    expect([twin.code, twin.err]).toEqual([2, expect.stringMatching(/saved but not published[\s\S]*--anyway/)])
    const anyway = await publish('two.md', undefined, '--anyway')
    expect(anyway).toMatchObject({
      code: 0,
      body: { status: 'published', warnings: [expect.stringContaining('duplicate_content')] },
    })
  })

  it('shows a refusal with its fields and a command that helps', async () => {
    const wrong = await galley(['projects', 'update', String(project), '--tone', 'Loud'])
    expect([wrong.code, wrong.out]).toEqual([2, ''])
    expect(wrong.err).toMatch(/Refused:[\s\S]*tone:[\s\S]*allowed:[\s\S]*\/docs\/errors\/invalid_input[\s\S]*Request /)
    const { articles } = await answer('articles', 'list')
    const id = String((articles as { ID: number }[])[0]?.ID)
    const live = await galley(['articles', 'restore', id, '1'])
    expect([live.code, live.err]).toEqual([2, expect.stringContaining(`galley articles.restore ${id} 1`)])
    const json = await galley(['articles', 'get', '999999999', '--json'])
    expect([json.code, JSON.parse(json.err)]).toMatchObject([4, { code: 'not_found' }])
  })
})
