import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { newAccount, newArticle, newProject } from '../support/client.ts'
import { startTestStack, targetOf } from '../support/stack.ts'

/** Runs `wrangler dev` on two Workers with the settings of a stack. Resolves with its address when it serves. */
const startWranglerDev = (settings: Record<string, string>, workDir: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const configs = ['wrangler.toml', 'functions/articles/wrangler.toml'].flatMap((config) => ['-c', config])
    const options = ['--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0', '--persist-to', workDir]
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
    const child = spawn(process.execPath, [wrangler, 'dev', ...configs, ...options], {
      ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'development' },
        ...{ CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_INCLUDE_PROCESS_ENV: 'true' },
        ...settings,
      },
    })
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGTERM'))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        const url = /Ready on (http:\S+)/.exec(output)?.[1]
        if (url) resolve(url)
      })
    child.on('exit', () => reject(new Error(output)))
  })

it('wrangler dev serves the articles of the local cloud from the wrangler.toml files', async () => {
  const stack = await startTestStack()
  onTestFinished(stack.close)
  const api = await newAccount(targetOf(stack))
  const id = await newArticle(api, await newProject(api))
  const url = await startWranglerDev(stack.settings(), join(stack.workDir, 'wrangler'))
  const response = await fetch(`${url}/api/v1/articles`, { headers: { authorization: `Bearer ${api.key}` } })
  const body = await response.json()
  expect(response.status).toBe(200)
  expect(body).toEqual((await api.get('/articles')).body)
  expect(body).toMatchObject({ articles: [{ ID: id }] })
})
