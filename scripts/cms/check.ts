import { readFileSync } from 'node:fs'
import type { CmsDeps } from '../../src/providers/cms/http.ts'
import { CMS_ADAPTERS } from '../../src/providers/platforms.ts'
import { connectionForms } from '../../src/providers/publishing.ts'
import { now, outbound } from '../outbound.ts'
import { walkCms } from './walk.ts'

/** Options of the command line. */
type Given = { platform?: string | undefined; credentials?: string | undefined; image?: string | undefined }

const deps: CmsDeps = {
  outbound,
  now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  serviceName: 'Galley',
  publicUrl: '',
}

const PAGE_TRIES = 6
const PAGE_WAIT_MS = 5_000

/**
 * Returns true if a public page shows some words. It tries for half a minute, because pages change some seconds late.
 */
const pageShows = async (url: string, words: string): Promise<boolean> => {
  for (let n = 0; n < PAGE_TRIES; n += 1) {
    const answer = await outbound({ url, method: 'GET', timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 })
    if (answer.kind === 'answered' && answer.body.includes(words)) return true
    await deps.sleep(PAGE_WAIT_MS)
  }
  return false
}

const refuse = (message: string): number => {
  process.stderr.write(`${message}\n`)
  return 2
}

/** Checks a real account of a platform and prints each step's result. Returns the exit code. */
export const check = async ({ platform = '', credentials, image }: Given, usage: string): Promise<number> => {
  const form = connectionForms[platform]
  const adapter = CMS_ADAPTERS[platform]
  if (!form || !adapter || !credentials) return refuse(usage)
  const given = JSON.parse(readFileSync(credentials, 'utf8')) as Record<string, unknown>
  const fields = form.fields.safeParse(given)
  if (!fields.success)
    return refuse(fields.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const opened = form.connection(given)
  const cms = adapter({ id: 1, platform, url: opened.url, secrets: opened.secrets }, deps)
  const steps = await walkCms(cms, {
    id: Date.now().toString(36),
    now: now(),
    knowsSlugs: platform !== 'notion',
    ...(image ? { image: { url: image, alt: 'An image of the check' } } : {}),
    pageShows,
    tell: ({ name, held, said }) =>
      process.stdout.write(`${held ? 'held  ' : 'FAILED'}  ${name}${said ? `: ${said}` : ''}\n`),
  })
  const failed = steps.filter(({ held }) => !held).length
  const summary = `${platform}: ${steps.length - failed} of ${steps.length} held on ${now().toISOString().slice(0, 10)}.`
  ;(failed ? process.stderr : process.stdout).write(`${summary}\n`)
  return failed ? 1 : 0
}
