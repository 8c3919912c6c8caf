import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'
import { freePort, isTaken } from '../../local/start/ports.ts'

type Service = {
  sample_project_id?: number
  base_url: string
  api_key: string
  receiver_url: string
  receiver_webhook_url: string
  receiver_token: string
}
type Running = { child: ChildProcess; said: () => string; service: Service }

/** Each starts the service several times. */
const TIMEOUT_MS = 600_000
const running: ChildProcess[] = []
const folders: string[] = []

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
})

const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-start-'))
  folders.push(dir)
  return dir
}

const launch = (dir: string, given: string[]) => {
  const args = given.includes('--sample') ? given.filter((arg) => arg !== '--sample') : [...given, '--no-sample']
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'local/start.ts'), '--dir', dir, ...args], { cwd: ROOT, env })
  running.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  return { child, said: () => said }
}

/** Starts a service and waits until it says that it runs. */
const start = async (dir: string, ...args: string[]): Promise<Running> => {
  const { child, said } = launch(dir, args)
  while (!said().includes('Galley is running')) {
    if (child.exitCode !== null) throw new Error(said())
    await sleep(50)
  }
  const service = JSON.parse(readFileSync(join(dir, 'service.json'), 'utf8')) as Service
  return { child, said, service }
}

/** Starts a service that is to refuse, and what it says then. */
const refusal = async (dir: string, ...args: string[]): Promise<string> => {
  const { child, said } = launch(dir, args)
  const [code] = await once(child, 'close')
  expect({ code, said: said() }).toMatchObject({ code: 1 })
  return said()
}

const call = async ({ service }: Running, method: string, path: string, body?: object) => {
  const response = await fetch(service.base_url + path, {
    method,
    headers: { authorization: `Bearer ${service.api_key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as Record<string, unknown>
}

const newProject = async (on: Running): Promise<number> => {
  const { project_id } = await call(on, 'POST', '/projects', { website_url: 'https://my-bakery.example' })
  return Number(project_id)
}

const projectsOf = async (on: Running) => (await call(on, 'GET', '/projects')).projects as { ID: number }[]

/** The status line for a request that announces 101 MB. */
const sendTooMuch = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST /api/v1/articles HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${101 * 1024 * 1024}\r\n\r\n{`)
    })
    socket.once('data', (chunk) => {
      resolve(chunk.toString().split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })

const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await sleep(100)
  }
}

const occupy = async (port: number) => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return () => new Promise((resolve) => server.close(resolve))
}

it(
  'a folder has one service: a second one is refused, and after a kill the next takes over',
  async () => {
    const dir = newDir()
    const port = await freePort()
    const first = await start(dir, '--port', String(port))
    const project = await newProject(first)
    const beside = await refusal(dir, '--port', String(await freePort()))
    expect(beside).toContain(`process ${first.child.pid} at http://127.0.0.1:${port}`)
    const [, otherDir = '', otherPort = ''] = /--dir (\S+) --port (\d+)/.exec(beside) ?? []
    expect(existsSync(otherDir)).toBe(false)
    await (await occupy(Number(otherPort)))()

    const intact = readFileSync(join(dir, 'lock.json'))
    writeFileSync(join(dir, 'lock.json'), intact.subarray(0, 5))
    expect(await refusal(dir, '--port', String(await freePort()))).toContain(
      `process ${first.child.pid}. Its lock.json cannot be read`,
    )
    writeFileSync(join(dir, 'lock.json'), intact)

    expect(await sendTooMuch(port)).toBe('HTTP/1.1 413 Payload Too Large')
    const [, workers = 0] = (JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')) as { children: number[] })
      .children
    process.kill(workers, 'SIGKILL')
    while (!first.said().includes('starting them again')) await sleep(50)
    expect(await untilAnswered(() => projectsOf(first))).toMatchObject([{ ID: project }])

    const lock = join(dir, 'lock.json')
    const left = JSON.parse(readFileSync(lock, 'utf8')) as { children: number[] }
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    // Its Workers end with it; what did not is ended by the next start.
    const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', dir])
    running.push(orphan)
    writeFileSync(lock, JSON.stringify({ ...left, children: [...left.children, orphan.pid] }))
    const next = await start(dir, '--port', String(port))
    expect(next.said()).toMatch(new RegExp(`Ended what a start that was killed left running: .*\\b${orphan.pid}\\b`))
    expect(next.service.api_key).toBe(first.service.api_key)
    expect(await projectsOf(next)).toMatchObject([{ ID: project }])
  },
  TIMEOUT_MS,
)

it(
  "a port that is taken is answered with one that is free, not the receiver's",
  async () => {
    let port = await freePort()
    while (await isTaken(port + 1)) port = await freePort()
    // A service with its receiver.
    const releases = [await occupy(port), await occupy(port + 1)]
    const said = await refusal(newDir(), '--port', String(port))
    for (const release of releases) await release()
    const other = Number(/--port (\d+)/.exec(said)?.[1])
    expect(other).toBeGreaterThan(port + 1)
    await (await occupy(other))()
  },
  TIMEOUT_MS,
)

it(
  'integrations follow the receiver when its port is taken, and it says so',
  async () => {
    const dir = newDir()
    const first = await start(dir, '--port', String(await freePort()))
    const project = await newProject(first)
    const { receiver_webhook_url: url, receiver_token: access_token } = first.service
    await call(first, 'POST', `/projects/${project}/integrations`, { platform: 'webhook', url, access_token })
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    const release = await occupy(Number(new URL(first.service.receiver_url).port))
    const second = await start(dir, '--port', String(await freePort()))
    await release()
    expect(second.said()).toContain(`moved from ${first.service.receiver_url} to ${second.service.receiver_url}`)
    const article = await call(second, 'POST', '/articles', {
      project_id: project,
      keyword: 'sourdough starter',
      content: '<p>Flour and water.</p>',
    })
    const published = await call(second, 'POST', `/articles/${article.article_id}/publish`)
    expect(published).toMatchObject({ status: 'published', url: expect.stringContaining(second.service.receiver_url) })
  },
  TIMEOUT_MS,
)

type Damage = [path: string, how: 'folder' | 'link' | 'gone' | { text: string }, reason: string]

/** Each of which keeps the service from starting; test/local/{journal,kept}.test.ts have what else can be in a file. */
const DAMAGES: Damage[] = [
  ['lock.json', 'folder', 'there is a folder in its place'],
  ['service.json', 'folder', 'there is a folder in its place'],
  ['workers.log', 'folder', 'there is a folder in its place'],
  ['workerd', { text: '' }, 'there is a file where a folder has to be'],
  ['data', { text: '' }, 'there is a file where a folder has to be'],
  ['data/qstash/qstash.jsonl', { text: 'no entry\n["put"]\n' }, 'line 1 is not an entry'],
  ['data/qstash', 'link', 'it is a link that leads to itself'],
  ['data/receiver/receiver.json', { text: '' }, 'it does not hold posts, deliveries and keys as JSON'],
  ['data/social/zernio.json', { text: '{"posts": [' }, 'it is not JSON'],
  ['data/r2', { text: '' }, 'there is a file where a folder has to be'],
  ['data/database', { text: '' }, 'there is a file where a folder has to be'],
  ['data/database/PG_VERSION', 'gone', 'PostgreSQL cannot open it (it has no PG_VERSION)'],
  ['data/database/global/pg_control', { text: '' }, 'PostgreSQL cannot open it ('],
]

/** Puts the damage in the place of what is there; what puts that back. */
const damage = (place: string, how: Damage[1]): (() => void) => {
  const aside = `${place}.whole`
  if (existsSync(place)) renameSync(place, aside)
  if (how === 'folder') mkdirSync(join(place, 'not empty'), { recursive: true })
  else if (how === 'link') symlinkSync(place, place)
  else if (how !== 'gone') writeFileSync(place, how.text)
  return () => {
    rmSync(place, { recursive: true, force: true })
    if (existsSync(aside)) renameSync(aside, place)
  }
}

const stop = async ({ child }: Pick<Running, 'child'>): Promise<void> => {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

it(
  'damaged files are named, with what is still there; --fresh moves all of it aside',
  async () => {
    const dir = newDir()
    const first = await start(dir, '--port', '0')
    await newProject(first)
    await stop(first)
    const parts = readdirSync(join(dir, 'data')).map((name) => join(dir, 'data', name))
    expect(parts).toHaveLength(7)
    for (const [path, how, reason] of DAMAGES) {
      const place = join(dir, path)
      const putBack = damage(place, how)
      const said = await refusal(dir, '--port', '0')
      putBack()
      const [named = '', ...rest] = said.split('\n').filter((line) => line !== 'Starting the local cloud …')
      // Of the database its folder is named.
      const file = path.startsWith('data/database') ? join(dir, 'data/database') : place
      expect(said).toContain(named)
      expect(named).toContain(`${file} is damaged, so the service did not start: ${reason}`)
      expect(named).toMatch(/\.$/)
      const still = path === 'data' ? [] : parts.filter((part) => part !== place && !place.startsWith(`${part}/`))
      for (const part of parts) expect(said.includes(`(${part})`), `${part}:\n${said}`).toBe(still.includes(part))
      expect(rest.join('\n')).toMatch(
        path.startsWith('data') || path === 'service.json'
          ? /Put that file right or take it away, or start with empty data: npm start -- --fresh \(.+\)\.\n$/
          : /Put that file right or take it away\.\n$/,
      )
      expect(rest.length).toBeLessThanOrEqual(3)
    }
    const whole = await start(dir, '--port', '0')
    expect(whole.said()).not.toMatch(/There is no|could not be read/)
    expect(await projectsOf(whole)).toHaveLength(1)
    await stop(whole)

    writeFileSync(join(dir, 'data/qstash/qstash.jsonl'), 'no entry\n["put"]\n')
    damage(join(dir, 'service.json'), 'folder')
    const fresh = await start(dir, '--port', '0', '--fresh')
    expect(await projectsOf(fresh)).toEqual([])
    const [kept = ''] = readdirSync(join(dir, 'old'))
    expect(fresh.said()).toContain(join(dir, 'old', kept))
    expect(readFileSync(join(dir, 'old', kept, 'data/qstash/qstash.jsonl'), 'utf8')).toContain('no entry')
    expect(existsSync(join(dir, 'old', kept, 'data/database/PG_VERSION'))).toBe(true)
  },
  TIMEOUT_MS,
)

it(
  'what is gone, cut off or unreadable and can be done without is told at the start, each in a sentence',
  async () => {
    const dir = newDir()
    const first = await start(dir, '--port', '0')
    expect(first.said()).not.toContain('There is no')
    const queue = join(dir, 'data/qstash/qstash.jsonl')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    appendFileSync(queue, '["put","messages","msg_torn"')
    for (const path of ['data/receiver/receiver.json', 'data/google/google.json']) rmSync(join(dir, path))
    rmSync(join(dir, 'data/social'), { recursive: true })
    writeFileSync(join(dir, 'service.json'), '{"api_key": 5}')
    writeFileSync(join(dir, 'lock.json'), '5')
    const object = join(dir, `data/r2/images/${'a'.repeat(64)}.json`)
    mkdirSync(join(object, '..'), { recursive: true })
    writeFileSync(object, '{"key": "a.png"')
    const second = await start(dir, '--port', '0')
    for (const sentence of [
      `${join(dir, 'service.json')} could not be read; a new one is written, with a new API key.`,
      `There is no ${join(dir, 'data/receiver/receiver.json')}, so it begins empty (the sample receiver's posts).`,
      `There is no ${join(dir, 'data/social/zernio.json')}, so it begins empty (the sandbox’s social accounts and posts).`,
      `There is no ${join(dir, 'data/google/google.json')}, so it begins empty (the sandbox’s Google accounts).`,
      `${queue}: The last line was cut off while it was written, before anybody was told that it is on file, so it is left out: msg_torn of messages.`,
      `${object} does not say what it was stored for: this hosted file is not served.`,
    ])
      expect(second.said().split('\n')).toContain(sentence)
    expect(second.said().match(/There is no/g)).toHaveLength(3)
    await stop(second)

    rmSync(join(dir, 'service.json'))
    rmSync(join(dir, 'data/database'), { recursive: true })
    const third = await start(dir, '--port', '0')
    for (const sentence of [
      `There is no ${join(dir, 'service.json')}: a new one is written, with a new API key.`,
      `There is no ${join(dir, 'data/database/PG_VERSION')}, so it begins empty (the database with projects and articles).`,
    ])
      expect(third.said().split('\n')).toContain(sentence)
    expect(third.said().match(/There is no/g)).toHaveLength(2)
    expect(await projectsOf(third)).toEqual([])
  },
  TIMEOUT_MS,
)

it(
  'a database that does not know the API key of the start before gets a new one, which is told and works',
  async () => {
    const dir = newDir()
    const file = join(dir, 'service.json')
    const first = await start(dir, '--port', '0')
    const project = await newProject(first)
    await stop(first)
    const UNKNOWN = 'The database does not know the API key of the start before, so there is a new one.'
    expect(first.said()).not.toContain(UNKNOWN)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(first.service.api_key, `${first.service.api_key.slice(0, -4)}aaaa`),
    )

    const second = await start(dir, '--port', '0')
    expect(second.said().split('\n')).toContain(UNKNOWN)
    expect(second.said()).toContain(`API key    ${second.service.api_key}\n`)
    expect(second.service.api_key).not.toBe(first.service.api_key)
    expect(await projectsOf(second)).toMatchObject([{ ID: project }])
    // The old one, which the database does know, works on.
    expect(
      await projectsOf({ ...second, service: { ...second.service, api_key: first.service.api_key } }),
    ).toHaveLength(1)
    // What is printed to be typed works as it stands.
    const [, command = ''] = /^ {2}(curl -H .+)$/m.exec(second.said()) ?? []
    const answer = execFileSync('sh', ['-c', `${command} --silent --show-error`], { encoding: 'utf8' })
    expect(JSON.parse(answer)).toMatchObject({ projects: [{ ID: project }] })
    await stop(second)

    const third = await start(dir, '--port', '0')
    expect(third.said()).not.toContain(UNKNOWN)
    expect(third.service.api_key).toBe(second.service.api_key)
  },
  TIMEOUT_MS,
)

it(
  'empty data begin with a sample project that has articles and search data, once',
  async () => {
    const dir = newDir()
    const port = String(await freePort())
    const first = await start(dir, '--port', port, '--sample')
    const { sample_project_id: sample } = first.service
    expect(first.said()).toContain(`Project ${sample} is a sample`)
    const { articles } = (await call(first, 'GET', `/articles?project_id=${sample}`)) as {
      articles: { Status: string }[]
    }
    expect(articles.map(({ Status: status }) => status).sort()).toEqual([
      ...Array<string>(3).fill('Planned'),
      ...Array<string>(5).fill('Published'),
    ])
    const search = await call(first, 'GET', `/search-console?project_id=${sample}`)
    expect(search).toMatchObject({ connected: true, property: `${first.service.receiver_url}/`, sandbox: true })
    const pages = search.top_pages as { page: string; article_id?: number }[]
    expect(pages.filter((page) => page.article_id !== undefined)).toHaveLength(5)
    const effects = (await call(first, 'GET', `/suggestions/effects?project_id=${sample}`)) as { effects: unknown[] }
    expect(effects.effects).toMatchObject([{ kind: 'sync' }, { kind: 'rewrite' }, { kind: 'rewrite' }])
    const { points } = await call(first, 'GET', `/ai-visibility?project_id=${sample}&view=history`)
    expect(points).toHaveLength(8)
    const reach = async (service: Running) => {
      const ask = (path: string) => call(service, 'GET', path)
      const { accounts } = (await ask(`/social/accounts?project_id=${sample}`)) as { accounts: { platform: string }[] }
      const { posts } = (await ask(`/social/posts?project_id=${sample}&status=scheduled`)) as { posts: unknown[] }
      const reviews = (await ask(`/profile/reviews?project_id=${sample}&limit=1`)) as {
        reviews: { reply: { message: string } }[]
      }
      const { campaigns } = (await ask(`/crowdwork/campaigns?project_id=${sample}`)) as {
        campaigns: { CrowdworkCampaignID: string }[]
      }
      const { slots } = (await ask(`/crowdwork/campaigns/${campaigns[0]?.CrowdworkCampaignID}/slots?status=OK`)) as {
        slots: unknown[]
      }
      return {
        networks: accounts.map(({ platform }) => platform),
        scheduled: posts.length,
        reply: reviews.reviews[0]?.reply.message,
        campaigns: campaigns.length,
        rated: slots.length,
      }
    }
    const isThere = {
      networks: ['x', 'linkedin', 'googlebusiness'],
      scheduled: 1,
      reply: expect.stringMatching(/^Thank you for telling us/),
      campaigns: 1,
      rated: 1,
    }
    expect(await reach(first)).toEqual(isThere)
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    writeFileSync(join(dir, 'service.json'), '{"api_key": "gly_')
    const next = await start(dir, '--port', port, '--sample')
    expect(next.said()).toContain('service.json could not be read; a new one is written, with a new API key.')
    expect(next.said()).not.toMatch(/Making the sample|no sample project/)
    expect(next.service.sample_project_id).toBe(sample)
    expect(await projectsOf(next)).toHaveLength(1)
    expect((await call(next, 'GET', `/articles?project_id=${sample}`)).count).toBe(articles.length)
    expect(await reach(next)).toEqual(isThere)
  },
  TIMEOUT_MS,
)
