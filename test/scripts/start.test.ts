import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { acquireLock } from '../../local/start/lock.ts'
import { commandWith, type Options, readOptions } from '../../local/start/options.ts'
import { freePort, isTaken } from '../../local/start/ports.ts'
import { signUp as signUpAt } from '../accounts/people/browser.ts'
import {
  call,
  endAll,
  newDir,
  newProject,
  projectsOf,
  type Running,
  refusal,
  running,
  start,
  stop,
  TIMEOUT_MS,
} from './service.ts'

afterEach(endAll)

/** Returns the status line for a request that announces 101 MB. */
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

/** Signs up at a running service, and confirms the address by the mail. */
const signUp = async ({ service }: Running, email: string) => {
  const { person } = await signUpAt({ url: service.public_url, mailUrl: service.mail_url }, { email })
  return person
}

const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await sleep(100)
  }
}

const occupy = async (port: number) => {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return () => new Promise((resolve) => server.close(resolve))
}

it(
  'a folder has one service: a second one is refused, and after a crash the next takes over',
  async () => {
    const dir = newDir()
    const port = await freePort()
    const first = await start(dir, '--port', String(port))
    const project = await newProject(first)
    expect(await refusal(newDir(), '--port', String(port))).toContain(`Port ${port} is taken by another Galley.`)
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
    const service = readFileSync(join(dir, 'service.json'))
    writeFileSync(join(dir, 'service.json'), '')
    const unread = await refusal(dir, '--port', String(await freePort()))
    expect(unread).toContain('lock.json cannot be read')
    expect(unread).not.toContain('service.json')
    writeFileSync(join(dir, 'service.json'), service)
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
    // Its Workers end with it. The next start ends any that remain.
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
  'a lock.json that cannot be read blames no service on another folder',
  async () => {
    const [dir, other] = [newDir(), newDir()]
    // Every service has its database filled from the first folder's cache.
    const data = [join(dir, '.galley/cache/pglite.tar'), join(other, 'data/database')]
    const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ...data])
    running.push(worker)
    mkdirSync(join(dir, '.galley'))
    writeFileSync(join(dir, '.galley/lock.json'), '')
    const lock = await acquireLock(join(dir, '.galley'))
    expect([lock.ended, worker.exitCode, worker.signalCode]).toEqual([[], null, null])
    lock.release()
  },
  TIMEOUT_MS,
)

it('the command that is offered repeats the options it was started with', () => {
  const given = ['--dir', "/tmp/it's here", '--fresh', '--no-sample', '--time-scale', '100']
  const options = readOptions([...given, '--port', '9000']) as Options
  expect(commandWith({ ...options, port: 9001 })).toBe(
    "npm start -- --dir '/tmp/it'\\''s here' --port 9001 --fresh --no-sample --time-scale 100",
  )
  expect(commandWith(readOptions([]) as Options)).toBe('npm start -- --port 8787')
})

it(
  "for a taken port, a free one is suggested, not the receiver's",
  async () => {
    let port = await freePort()
    while (await isTaken(port + 1)) port = await freePort()
    // A service with its receiver.
    const releases = [await occupy(port), await occupy(port + 1)]
    const dir = newDir()
    const said = await refusal(dir, '--port', String(port), '--time-scale', '5')
    expect(said).toContain(`Port ${port} is taken by another program.`)
    expect(said).toMatch(new RegExp(`^  npm start -- --dir ${dir} --port \\d+ --no-sample --time-scale 5$`, 'm'))
    for (const release of releases) await release()
    const other = Number(/--port (\d+)/.exec(said)?.[1])
    expect(other).toBeGreaterThan(port + 1)
    await (await occupy(other))()
  },
  TIMEOUT_MS,
)

it(
  'integrations follow the receiver to another port, and a new database gets a new API key; both are reported',
  async () => {
    const dir = newDir()
    const file = join(dir, 'data', 'last-start.json')
    const UNKNOWN = 'The database does not know the API key of the start before, so there is a new one.'
    const first = await start(dir, '--port', '0')
    expect(first.said()).not.toContain(UNKNOWN)
    const project = await newProject(first)
    const { receiver_webhook_url: url, receiver_token: access_token } = first.service
    await call(first, 'POST', `/projects/${project}/integrations`, { platform: 'webhook', url, access_token })
    await stop(first)
    // Nothing answers at its old address.
    expect(existsSync(join(dir, 'service.json'))).toBe(false)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(first.service.api_key, `${first.service.api_key.slice(0, -4)}aaaa`),
    )
    const release = await occupy(Number(new URL(first.service.receiver_url).port))
    const second = await start(dir, '--port', '0')
    await release()
    expect(second.said()).toContain(`moved from ${first.service.receiver_url} to ${second.service.receiver_url}`)
    const article = await call(second, 'POST', '/articles', {
      project_id: project,
      keyword: 'sourdough starter',
      content: '<p>Flour and water.</p>',
    })
    const published = await call(second, 'POST', `/articles/${article.article_id}/publish`)
    expect(published).toMatchObject({ status: 'published', url: expect.stringContaining(second.service.receiver_url) })

    expect(second.said().split('\n')).toContain(UNKNOWN)
    expect(second.said()).toContain(`API key    ${second.service.api_key}\n`)
    expect(second.service.api_key).not.toBe(first.service.api_key)
    expect(await projectsOf(second)).toMatchObject([{ ID: project }])
    // The old one, which the database does know, works on.
    expect(
      await projectsOf({ ...second, service: { ...second.service, api_key: first.service.api_key } }),
    ).toHaveLength(1)
    // Commands that are printed work as they are.
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
  'empty data get a sample project with articles and search data, once',
  async () => {
    const dir = newDir()
    const port = String(await freePort())
    const first = await start(dir, '--port', port, '--sample')
    const { sample_project_id: sample } = first.service
    expect(first.said()).toContain(`Project ${sample} is a sample`)
    const person = await signUp(first, /sign up as (\S+)/.exec(first.said())?.[1] ?? '')
    expect((await person.get('/settings/projects')).text).toContain('Garden Room')
    const keys = await person.get('/settings/keys')
    expect(keys.text).toContain('First key')
    expect(keys.text).not.toContain('Sample project')
    const { articles } = (await call(first, 'GET', `/articles?project_id=${sample}`)) as {
      articles: { Status: string }[]
    }
    expect(articles.map(({ Status: status }) => status).sort()).toEqual([
      ...Array<string>(6).fill('Draft'),
      ...Array<string>(3).fill('Planned'),
      ...Array<string>(5).fill('Published'),
    ])
    // Every state that needs attention is shown.
    const site = `/p/${sample}`
    const seen: [path: string, words: string[]][] = [
      [site, ['does not exist', 'Not known', 'has expired', '1 thing waits for your approval', 'Rewrite ready']],
      [`${site}/articles`, ['Retrying', 'Waits for approval']],
      [`${site}/calendar`, ['of the 8 articles of your plan are out or have a date', 'Retrying']],
      [`${site}/settings/writing`, ['Give every measure in centimetres', 'Somebody who answers']],
      [`/settings/social?project_id=${sample}`, ['Not connected']],
      [`${site}/social`, ['Rain outside', 'Next week', 'Open house', 'The account is disconnected', 'Connect again']],
      [`${site}/reviews`, ['To answer']],
      [`${site}/crowdwork`, ['Which shed would you choose?']],
      [
        '/settings/people',
        [
          'owner: everything',
          'member: all but',
          'editor of Garden Room',
          'client of Garden Room',
          'guest@galley.local',
        ],
      ],
    ]
    for (const [path, words] of seen) {
      const { text } = await person.get(path)
      for (const one of words) expect(text, path).toContain(one)
    }
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
      const { accounts } = (await ask(`/social/accounts?project_id=${sample}`)) as {
        accounts: { platform: string; usable: boolean }[]
      }
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
    const lookedAfter = async (service: Running) => {
      const { projects } = (await call(service, 'GET', '/projects')) as { projects: { ID: number }[] }
      const blog = projects.find(({ ID }) => ID !== sample)?.ID
      const report = (await call(service, 'GET', `/projects/${blog}/care?origin=adopted`)) as {
        rules: { rule: string }[]
      }
      const { posts } = (await call(service, 'GET', `/projects/${blog}/site-posts`)) as { posts: { origin: string }[] }
      const page = (await person.get(`/p/${blog}/changes`)).text
      return {
        blog,
        rules: report.rules.map(({ rule }) => rule),
        origins: posts.map(({ origin }) => origin),
        hasSet: page.includes('The new price, an old year and a missing description'),
      }
    }
    const cared = await lookedAfter(first)
    expect(cared).toMatchObject({ origins: [...Array<string>(6).fill('adopted'), null], hasSet: true })
    expect(cared.rules).toEqual(
      expect.arrayContaining(['no_description', 'no_alternative_text', 'out_of_date', 'thin']),
    )
    expect((await person.get(`/p/${cared.blog}/posts`)).text).toContain('Open day in May')
    expect(await (await fetch(`${first.service.blog_url}/posts/shed-doors/`)).text()).toContain('A door sags when')
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    writeFileSync(join(dir, 'service.json'), '{"api_key": "gly_')
    const next = await start(dir, '--port', port, '--sample')
    expect(next.said()).toContain('service.json could not be read; a new one is written, with a new API key.')
    expect(next.said()).not.toMatch(/Making the sample|no sample project/)
    expect(next.service.sample_project_id).toBe(sample)
    expect(await projectsOf(next)).toHaveLength(2)
    expect((await call(next, 'GET', `/articles?project_id=${sample}`)).count).toBe(articles.length)
    expect(await reach(next)).toEqual(isThere)
    const { origins, hasSet } = await lookedAfter(next)
    expect({ origins, hasSet }).toEqual({ origins: cared.origins, hasSet: true })
    await stop(next)
    const release = await occupy(Number(new URL(next.service.blog_url).port))
    const moved = await start(dir, '--port', port)
    await release()
    expect(moved.said()).toContain(`The old blog has moved from ${next.service.blog_url} to ${moved.service.blog_url}`)
    expect((await lookedAfter(moved)).origins).toEqual(cared.origins)
  },
  TIMEOUT_MS,
)
