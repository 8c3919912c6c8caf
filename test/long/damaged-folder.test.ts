import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { endAll, newDir, newProject, projectsOf, refusal, start, stop, TIMEOUT_MS } from '../scripts/service.ts'

afterEach(endAll)

type Damage = [path: string, how: 'folder' | 'link' | 'gone' | { text: string }, reason: string]

/** Damages that each keep the service from starting. test/local/{journal,kept}.test.ts test the contents of files. */
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

/** Damages a place and returns a function that restores it. */
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

it(
  'damaged files are named, with what is still there; --fresh moves all of it aside',
  async () => {
    const dir = newDir()
    const first = await start(dir, '--port', '0')
    await newProject(first)
    await stop(first)
    const parts = readdirSync(join(dir, 'data'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(dir, 'data', name))
    expect(parts).toHaveLength(8)
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
  'missing or unreadable optional files are reported at the start, each in a sentence',
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

    rmSync(join(dir, 'data/last-start.json'))
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
