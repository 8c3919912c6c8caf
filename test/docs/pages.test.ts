import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { VERSION } from '../../src/platform/lib/version.generated.ts'
import { newAccount } from '../support/client.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const stack = inject('stack')
const home = mkdtempSync(join(tmpdir(), 'galley-blocks-'))
let key: string
let receiver: Receiver

beforeAll(async () => {
  ;({ key } = await newAccount(stack, { plan: 'pro', projects: 5, credits: 10 }))
  receiver = await startReceiver()
})
afterAll(() => {
  receiver.close()
  rmSync(home, { recursive: true, force: true })
})

type Ended = { code: number; out: string; err: string }

/** Runs a program whose source is given on standard input, as the page's reader would. */
const run = async (program: string, args: string[], source = ''): Promise<Ended> => {
  const env = { PATH: process.env.PATH, HOME: home, GALLEY_URL: `${stack.url}/api/v1`, GALLEY_API_KEY: key }
  const child = spawn(program, args, { env, cwd: home })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  child.stdin.end(source)
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block)

/** Returns the commands of a block: lines that end in a backslash go on. */
const commandsOf = (block: string): string[] =>
  block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('export '))

it('the quickstart shows its ways as tabs', async () => {
  const page = await (await fetch(`${stack.url}/docs/quickstart`)).text()
  const [, ways = ''] = page.split('<div class="tabs">')
  const tabs = [...ways.matchAll(/<summary[^>]*>(.*?)<\/summary>/g)].map(([, name]) => name)
  expect(tabs).toEqual(['curl', 'TypeScript', 'Python', 'PHP', 'Command line', 'MCP'])
})

describe('the skill', () => {
  const folder = join(ROOT, 'skills/galley')
  const skill = readFileSync(join(folder, 'SKILL.md'), 'utf8')
  const files = readdirSync(join(folder, 'references')).sort()

  it('has the head and the references that agents read', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? []
    expect(head).toMatch(/^name: galley\ndescription: .{100,1024}$/)
    const linked = [...skill.matchAll(/\]\(references\/([\w.]+)\)/g)].map(([, name]) => name)
    expect([...new Set(linked)].sort()).toEqual(files)
    const plugin = JSON.parse(readFileSync(join(ROOT, '.claude-plugin/plugin.json'), 'utf8'))
    expect(plugin).toMatchObject({ name: 'galley', version: VERSION })
  })

  it('has commands that run as they are written', async () => {
    const ids: Record<string, string> = {}
    const texts = [skill, ...files.map((file) => readFileSync(join(folder, 'references', file), 'utf8'))]
    for (const text of texts)
      for (const command of blocksOf(text, 'sh').flatMap(commandsOf)) {
        const filled = command.replaceAll(/\b[A-Z]+_ID\b/g, (name) => ids[name] ?? name)
        const { code, out, err } = await run('bash', ['-c', filled])
        expect([code, err.replace(/^(Published|Draft)\n$/, '')], filled).toEqual([0, ''])
        const answer = out.startsWith('{') ? (JSON.parse(out) as Record<string, unknown>) : {}
        if (answer.article_id !== undefined) ids.ARTICLE_ID = String(answer.article_id)
        if (command.includes('projects create')) {
          ids.PROJECT_ID = String(answer.project_id)
          const target = { platform: 'webhook', url: `${receiver.url}/skill`, access_token: 'skill-token' }
          const made = await fetch(`${stack.url}/api/v1/projects/${ids.PROJECT_ID}/integrations`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify(target),
          })
          receiver.secret = ((await made.json()) as { signing_secret: string }).signing_secret
        }
      }
    expect(Object.keys(ids).sort()).toEqual(['ARTICLE_ID', 'PROJECT_ID'])
  })
})

describe('the page to connect a client', () => {
  let text = ''
  beforeAll(async () => {
    text = await (await fetch(`${stack.url}/docs/clients.md`)).text()
  })

  it('has settings that can be read, with the address of this service', () => {
    const read = [
      ...blocksOf(text, 'json').map((block): unknown => JSON.parse(block)),
      ...blocksOf(text, 'toml').map((block): unknown => parseToml(block)),
      ...blocksOf(text, 'sh').flatMap(commandsOf),
    ]
    expect(read.length).toBeGreaterThanOrEqual(7)
    for (const one of read) expect(JSON.stringify(one)).toContain(`${stack.url}/mcp`)
  })

  it('has commands that a shell reads', async () => {
    for (const block of blocksOf(text, 'sh'))
      expect(await run('bash', ['-n'], block)).toEqual({ code: 0, out: '', err: '' })
  })

  it('names an address that lets a key in, and asks others to sign in', async () => {
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const ask = (headers: Record<string, string>) =>
      fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client }),
      })
    const [header = '', scheme = ''] = /Authorization: (Bearer) gly_/.exec(text) ?? []
    expect(header).not.toBe('')
    expect((await ask({ authorization: `${scheme} ${key}` })).status).toBe(200)
    const refused = await ask({})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
  })
})
