import { readFileSync } from 'node:fs'
import type { CmsMeans } from '../src/providers/cms/http.ts'
import { connectionForms } from '../src/providers/forms.ts'
import { CMS_ADAPTERS } from '../src/providers/platforms.ts'
import { createOutbound } from '../src/runtime/outbound.ts'
import { readArguments } from './arguments.ts'
import { walkCms } from './cms/walk.ts'

const USAGE = `Walks a real account of a platform from probe to cleaning up and prints what held: makes a draft, publishes,
changes, fills it with a long text and an image, takes it down and deletes it. Nothing else there is touched.

Usage: npm run cms-check -- --platform NAME --credentials FILE [--image URL]

  --platform NAME      wordpress, webflow, shopify, ghost, wix, notion, gohighlevel or framer
  --credentials FILE   JSON with the fields that connecting the platform takes (docs/design/cms.md)
  --image URL          an image on the open web; without it images are not tried. GoHighLevel needs one.
`

const end = (message: string, code: number): never => {
  ;(code === 0 ? process.stdout : process.stderr).write(`${message}\n`)
  process.exit(code)
}

const { values } = readArguments('npm run cms-check --', {
  options: {
    platform: { type: 'string' },
    credentials: { type: 'string' },
    image: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) end(USAGE, 0)
const platform = values.platform ?? ''
const form = connectionForms[platform]
const adapter = CMS_ADAPTERS[platform]
if (!form || !adapter || !values.credentials) end(USAGE, 2)

const given: unknown = JSON.parse(readFileSync(values.credentials ?? '', 'utf8'))
const fields = form?.fields.safeParse(given)
if (fields?.success === false)
  end(fields.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'), 2)

const now = () => new Date()
const outbound = createOutbound({
  allowLoopback: true,
  dnsQueryUrl: 'https://cloudflare-dns.com/dns-query',
  log: () => {},
  now,
})
const means: CmsMeans = {
  outbound,
  now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  serviceName: 'Galley',
  publicUrl: '',
}

const PAGE_TRIES = 6
const PAGE_WAIT_MS = 5_000

/** Public pages lag behind by some seconds: they are asked for half a minute. */
const pageShows = async (url: string, words: string): Promise<boolean> => {
  for (let n = 0; n < PAGE_TRIES; n += 1) {
    const answer = await outbound({ url, method: 'GET', timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 })
    if (answer.kind === 'answered' && answer.body.includes(words)) return true
    await means.sleep(PAGE_WAIT_MS)
  }
  return false
}

const opened = form?.connection(given as Record<string, unknown>)
if (!opened || !adapter) end(USAGE, 2)
else {
  const cms = adapter({ id: 1, platform, url: opened.url, secrets: opened.secrets }, means)
  const steps = await walkCms(cms, {
    id: Date.now().toString(36),
    now: now(),
    knowsSlugs: platform !== 'notion',
    ...(values.image ? { image: { url: values.image, alt: 'An image of the check' } } : {}),
    pageShows,
    tell: ({ name, held, said }) =>
      process.stdout.write(`${held ? 'held  ' : 'FAILED'}  ${name}${said ? `: ${said}` : ''}\n`),
  })
  const failed = steps.filter(({ held }) => !held).length
  end(
    `${platform}: ${steps.length - failed} of ${steps.length} held on ${now().toISOString().slice(0, 10)}.`,
    failed ? 1 : 0,
  )
}
