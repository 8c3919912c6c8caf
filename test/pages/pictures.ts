import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../local/root.ts'
import { OWNER } from '../../local/start/database.ts'
import { signUp } from '../accounts/people/browser.ts'
import { openBrowser } from '../support/playwright.ts'

/** Pictures of README: the file in docs/pictures, and the page below the sample project's. */
const PICTURES = [['overview', '']] as const

type Service = { public_url: string; mail_url: string; sample_project_id: number }

const dir = mkdtempSync(join(tmpdir(), 'galley-pictures-'))
const service = spawn(process.execPath, [join(ROOT, 'local/start.ts'), '--port', '0', '--dir', dir], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
})

/** Resolves once the service runs. Rejects if it ends before. */
const running = (): Promise<Service> =>
  new Promise((resolve, reject) => {
    let said = ''
    service.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      if (said.includes('Galley is running'))
        resolve(JSON.parse(readFileSync(join(dir, 'service.json'), 'utf8')) as Service)
    })
    service.once('exit', () => reject(new Error(`the service did not start:\n${said}`)))
  })

/** Time for the sample's search data and suggestions, which come in the background, ms. */
const SETTLE_MS = 60_000

try {
  const { public_url: url, mail_url: mailUrl, sample_project_id: project } = await running()
  const { person } = await signUp({ url, mailUrl }, { email: OWNER })
  await sleep(SETTLE_MS)
  const browser = await openBrowser()
  const context = await browser.newContext()
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })))
  const page = await context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const [name, path] of PICTURES) {
    await page.goto(`${url}/p/${project}${path}`)
    await page.screenshot({ path: join(ROOT, `docs/pictures/${name}.png`), fullPage: false })
    process.stdout.write(`docs/pictures/${name}.png\n`)
  }
  await browser.close()
} finally {
  service.kill('SIGINT')
  if (service.exitCode === null) await once(service, 'exit')
  rmSync(dir, { recursive: true, force: true })
}
