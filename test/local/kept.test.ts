import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startWordpress } from '../../local/cms/wordpress.ts'
import { startCrowdwork } from '../../local/crowdwork/server.ts'
import { type DamagedFile, damageIn } from '../../local/damaged-file.ts'
import { startGoogle } from '../../local/google/server.ts'
import { keptIn } from '../../local/kept.ts'
import { startReceiver } from '../../local/receiver/server.ts'
import { startZernio } from '../../local/social/zernio.ts'
import { describeDamage } from '../../local/start/data.ts'
import { acquireLock } from '../../local/start/lock.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'galley-kept-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const given = () => ({ posts: ['a'], owners: { jo: 1 } })

it('is given, saved, and there again', () => {
  const first = keptIn(dir, 'blog.json', given())
  first.data.posts.push('b')
  first.save()
  expect(keptIn(dir, 'blog.json', given()).data).toEqual({ posts: ['a', 'b'], owners: { jo: 1 } })
  expect(readdirSync(dir)).toEqual(['blog.json'])
})

it('is replaced by a save, and an interrupted save leaves the earlier version', () => {
  const { data, save } = keptIn(dir, 'blog.json', given())
  save()
  // A second name of the file that is there now.
  linkSync(join(dir, 'blog.json'), join(dir, 'before'))
  data.posts.push('b')
  save()
  expect(JSON.parse(readFileSync(join(dir, 'before'), 'utf8'))).toEqual(given())
  writeFileSync(join(dir, 'blog.json.new'), '{"posts": ["a", ')
  expect(keptIn(dir, 'blog.json', given()).data).toEqual(data)
})

it.each([
  ['{"posts": ["a"', 'it is not JSON'],
  ['', 'it is not JSON'],
  ['\0\0\0\0', 'it is not JSON'],
  ['[]', 'it does not hold a JSON object'],
  ['null', 'it does not hold a JSON object'],
  ['7', 'it does not hold a JSON object'],
  ['{"posts": {"a": 1}}', 'its "posts" is not what was kept there'],
  ['{"owners": null}', 'its "owners" is not what was kept there'],
])('a file with %j is named with what is wrong, and left as it is', (text, reason) => {
  writeFileSync(join(dir, 'blog.json'), text)
  expect(() => keptIn(dir, 'blog.json', given())).toThrow(
    expect.objectContaining({ name: 'DamagedFile', file: join(dir, 'blog.json'), reason }),
  )
  expect(readFileSync(join(dir, 'blog.json'), 'utf8')).toBe(text)
})

const STANDS: [name: string, start: () => Promise<{ close: () => Promise<void> }>][] = [
  ['google.json', () => startGoogle({ dir })],
  ['google-business.json', () => startGoogle({ dir })],
  ['zernio.json', () => startZernio({ key: 'k', dir })],
  ['crowdwork.json', () => startCrowdwork({ key: 'k', dir })],
  ['wordpress.json', () => startWordpress({ dir })],
  ['receiver.json', () => startReceiver({ port: 0, token: 't', dir })],
]

it.each(STANDS)(
  'a stand-in writes %s at its first start, and does not start on half of it or without it',
  async (name, start) => {
    const file = join(dir, name)
    await (await start()).close()
    expect(readdirSync(dir)).toContain(name)
    await (await start()).close()
    const refused = async (reason: string) =>
      expect(start()).rejects.toMatchObject({ name: 'DamagedFile', file, reason: expect.stringContaining(reason) })
    writeFileSync(file, '{"posts": [')
    await refused('JSON')
    writeFileSync(file, '')
    await refused('JSON')
    rmSync(file)
    mkdirSync(file)
    await refused('there is a folder in its place')
    rmSync(file, { recursive: true })
    symlinkSync(file, file)
    await refused('it is a link that leads to itself')
  },
)

it.each([
  '{"posts":[5],"deliveries":[],"processed":[]}',
  '{"posts":[],"deliveries":[{"number":"1"}],"processed":[]}',
  '{"posts":[],"deliveries":[],"processed":[["key"]]}',
])('the receiver does not start on %s', async (text) => {
  writeFileSync(join(dir, 'receiver.json'), text)
  await expect(startReceiver({ port: 0, token: 't', dir })).rejects.toMatchObject({ file: join(dir, 'receiver.json') })
})

it.each([
  ['EACCES', 'this user may not read or write it'],
  ['EROFS', 'the disk it is on cannot be written to'],
])('the system error %s is reported in words', (code, reason) => {
  const refusal = Object.assign(new Error(`${code}: refused`), { code, path: '/data/file.new', dest: '/data/file' })
  expect(damageIn(refusal)).toMatchObject({ name: 'DamagedFile', file: '/data/file', reason })
  expect(damageIn(new Error('something else'))).toBeUndefined()
})

it('a folder without write permission is not called damaged; the message names its owner and what to do', () => {
  const refused = (code: string) =>
    damageIn(Object.assign(new Error(code), { code, path: join(dir, 'lock.json.7') })) as DamagedFile
  const told = describeDamage(refused('EACCES'), dir)
  expect(told).toMatch(
    /^You may not write to .* \(it belongs to .+\)\. Choose another with --dir, or change its owner\.$/,
  )
  expect(told).toContain(basename(dir))
  expect(describeDamage(refused('EROFS'), join(dir, 'new'))).toMatch(/\(the disk it is on cannot be written to\)/)
  expect(damageIn(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: dir }))).toBeUndefined()
})

it.each(['', '5', 'null', '{"pid": "1", "children": []}', '{"pid": 4194305, "url": "", "children": ["x"]}'])(
  'a lock with %j of no running process is replaced',
  async (text) => {
    writeFileSync(join(dir, 'lock.json'), text)
    const lock = await acquireLock(dir)
    expect(JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid, children: [] })
    lock.release()
    expect(readdirSync(dir)).toEqual([])
  },
)

it('a lock that is a folder or a link to itself is named, and left as it is', async () => {
  const file = join(dir, 'lock.json')
  mkdirSync(file)
  await expect(acquireLock(dir)).rejects.toMatchObject({ file, reason: 'there is a folder in its place' })
  rmSync(file, { recursive: true })
  symlinkSync(file, file)
  await expect(acquireLock(dir)).rejects.toMatchObject({ file, reason: 'it is a link that leads to itself' })
  expect(readdirSync(dir)).toEqual(['lock.json'])
})
