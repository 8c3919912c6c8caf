import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DamagedFile } from '../../local/damaged-file.ts'
import { type Message, openStore } from '../../local/qstash/store.ts'

let dir: string
let file: string
let notices: string[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'galley-journal-'))
  file = join(dir, 'qstash.jsonl')
  notices = []
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const open = () => openStore({ dir, say: (notice) => notices.push(notice) })

const message = (messageId: string): Message => ({
  ...{ messageId, url: `http://127.0.0.1:1/${messageId}`, headers: {}, body: 'eA==', dueAt: 1e12 },
  ...{ retried: 0, maxRetries: 3, callerIp: '127.0.0.1' },
})

/** Returns the contents of a store opened on the present file, as after a kill of its process. */
const held = (): string[] =>
  open()
    .messages.values()
    .map(({ messageId }) => messageId)

it('wherever the last write was cut off, everything before it is read, and the rest is reported', () => {
  const store = open()
  store.messages.put('a', message('a'))
  store.messages.put('b', message('b'))
  const before = readFileSync(file).length
  store.messages.put('c', message('c'))
  const whole = readFileSync(file)
  const ends = []
  for (let length = before; length <= whole.length; length += 1) {
    writeFileSync(file, whole.subarray(0, length))
    notices = []
    ends.push({ length, held: held().join(), notices: notices.length })
  }
  expect(ends).toEqual(
    ends.map(({ length }) => ({
      length,
      // The line lacks only its line break, or is complete.
      held: length >= whole.length - 1 ? 'a,b,c' : 'a,b',
      notices: length > before && length < whole.length - 1 ? 1 : 0,
    })),
  )
})

it.each([
  [(line: string) => line.slice(0, -9), 'c of messages, for http://127.0.0.1:1/c.'],
  [(line: string) => line.slice(0, 24), 'c of messages.'],
  [(line: string) => line.slice(0, 7), 'only "[\\"put\\",".'],
  [() => '["remove","messages","a"', 'that a of messages is done with.'],
])('a cut line is reported with the file and its readable part (%#)', (cut, what) => {
  const store = open()
  store.messages.put('a', message('a'))
  const before = readFileSync(file, 'utf8')
  store.messages.put('c', message('c'))
  const line = readFileSync(file, 'utf8').slice(before.length)
  writeFileSync(file, before + cut(line))
  expect(held()).toEqual(['a'])
  expect(notices).toEqual([
    `${file}: The last line was cut off while it was written, before anybody was told that it is on file, so it is left out: ${what}`,
  ])
  notices = []
  expect(held()).toEqual(['a'])
  expect(notices).toEqual([])
})

it('a closed file has the number of its entries, so missing ones are detected', () => {
  const store = open()
  for (const id of ['a', 'b']) store.messages.put(id, message(id))
  store.close()
  const whole = readFileSync(file, 'utf8')
  for (let length = 1; length < whole.length - 1; length += 1) {
    writeFileSync(file, whole.slice(0, length))
    expect(open, `the first ${length} characters`).toThrow(DamagedFile)
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, length))
  }
  // Only the end of its last line is missing, which an editor may remove.
  writeFileSync(file, whole.slice(0, -1))
  expect(held()).toEqual(['a', 'b'])
  expect(notices).toEqual([])
})

const row = JSON.stringify(['put', 'messages', 'a', message('a')])
const withRow = (change: object) => JSON.stringify(['put', 'messages', 'a', { ...message('a'), ...change }])

it.each<[string, string]>([
  [`no entry\n${row}\n`, 'line 1 is not an entry'],
  [`${row}\n["put","messages","torn\n${row}\n`, 'line 2 is not an entry'],
  [`["entries",1]\n${row.replace('put', 'pus')}\n`, 'line 2 is not an entry'],
  [`["entries",1]\n${row.replace('messages', 'massages')}\n`, 'line 2 is not an entry'],
  [`["entries",2]\n${row}\n`, 'of the 2 entries it had 1 are there'],
  ['["entries",3', 'its first line is cut off'],
  ['["entries",0]\nnull\n', 'line 2 is not an entry'],
  ['["entries",0]\n["remove","messages"]\n', 'line 2 is not an entry'],
  [`["entries",0]\n\n${row}\n`, 'line 2 is not an entry'],
  [`["entries",0]\n${withRow({ url: 'nowhere' })}\n`, 'line 2 is not an entry'],
  [`["entries",0]\n${withRow({ dueAt: 'soon' })}\n`, 'line 2 is not an entry'],
  [`["entries",0]\n${withRow({ body: 'no base64!' })}\n`, 'line 2 is not an entry'],
  ['\0\0\0\0\0', 'its first line is cut off'],
])('%j is refused with what is wrong, and left as it is', (text, reason) => {
  writeFileSync(file, text)
  expect(open).toThrow(expect.objectContaining({ name: 'DamagedFile', file, reason }))
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it('a folder in its place and a link to itself are refused', () => {
  mkdirSync(file)
  expect(open).toThrow(expect.objectContaining({ file, reason: 'there is a folder in its place' }))
  rmSync(file, { recursive: true })
  symlinkSync(file, file)
  expect(open).toThrow(expect.objectContaining({ file, reason: 'it is a link that leads to itself' }))
})

it.each([
  ['', 0],
  [`${row}\n`, 1],
])('a file of an earlier release, which did not count, is taken with a sentence (%#)', (text, entries) => {
  writeFileSync(file, text)
  expect(held()).toHaveLength(entries)
  expect(notices).toEqual([
    `${file}: It does not say how many entries it had: an earlier release wrote it, or it was cut. The ${entries} in it are taken.`,
  ])
})

it('an entry that does not fit on the disk leaves the file unchanged', async () => {
  const module = new URL('../../local/qstash/store.ts', import.meta.url).href
  const script = `import { openStore } from '${module}'
    const store = openStore({ dir: '${dir}' })
    const message = ${JSON.stringify(message('a'))}
    const put = (messageId, body) => store.messages.put(messageId, { ...message, messageId, body })
    put('a', 'eA==')
    try { put('large', 'eA=='.repeat(5_000)) } catch (error) { console.log(error.code) }
    put('b', 'eA==')
    console.log(store.messages.values().map(({ messageId }) => messageId).join())`
  // No file may be larger than 8 KiB; the process is not ended for it.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1"`
  const child = spawn('bash', ['-c', limited, process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  await once(child, 'close')
  expect(said).toBe('EFBIG\na,b\n')
  expect(held()).toEqual(['a', 'b'])
  expect(notices).toEqual([])
})
