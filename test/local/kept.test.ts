import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCrowdwork } from '../../local/crowdwork/server.ts'
import { startGoogle } from '../../local/google/server.ts'
import { keptIn } from '../../local/kept.ts'
import { startZernio } from '../../local/social/zernio.ts'

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

it('is replaced by a save, and never written over: one that is cut short leaves what was saved before', () => {
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

it.each([
  ['google.json', () => startGoogle({ dir })],
  ['google-business.json', () => startGoogle({ dir })],
  ['zernio.json', () => startZernio({ key: 'k', dir })],
  ['crowdwork.json', () => startCrowdwork({ key: 'k', dir })],
])('a stand-in does not start on half of its %s', async (name, start) => {
  writeFileSync(join(dir, name), '{"posts": [')
  await expect(start()).rejects.toMatchObject({ name: 'DamagedFile', file: join(dir, name) })
})
