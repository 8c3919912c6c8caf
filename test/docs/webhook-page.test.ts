import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../local/root.ts'
import type { Outbound } from '../../src/platform/runtime/outbound.ts'
import { webhookForm, webhookTarget } from '../../src/providers/cms/webhook/index.ts'

/** Delivery to a receiver: its secret, the headers by lower-case name and the raw body. */
type Delivery = { secret: string; headers: Record<string, string>; body: string }

/** A language of the page: how its example becomes a program that reads a Delivery as JSON and prints true or false. */
type Language = { fence: string; version: string[]; file: string; run: string[]; program: (example: string) => string }

const LANGUAGES: Record<string, Language> = {
  JavaScript: {
    ...{ fence: 'js', version: ['node', '--version'], file: 'check.mjs', run: ['node'] },
    program: (example) =>
      `${example}
       import { readFileSync } from 'node:fs'
       const given = JSON.parse(readFileSync(0, 'utf8'))
       console.log(isGenuine(given.secret, given.headers, Buffer.from(given.body)))`,
  },
  Python: {
    ...{ fence: 'python', version: ['python3', '--version'], file: 'check.py', run: ['python3'] },
    program: (example) =>
      `${example}
import json, sys
given = json.load(sys.stdin)
print(str(is_genuine(given["secret"], given["headers"], given["body"].encode())).lower())`,
  },
  PHP: {
    ...{ fence: 'php', version: ['php', '--version'], file: 'check.php', run: ['php'] },
    program: (example) =>
      `<?php
       ${example}
       $given = json_decode(file_get_contents('php://stdin'), true);
       echo json_encode(is_genuine($given['secret'], $given['headers'], $given['body']));`,
  },
  Ruby: {
    ...{ fence: 'ruby', version: ['ruby', '--version'], file: 'check.rb', run: ['ruby'] },
    program: (example) =>
      `${example}
       require "json"
       given = JSON.parse($stdin.read)
       puts genuine?(given["secret"], given["headers"], given["body"])`,
  },
  Go: {
    ...{ fence: 'go', version: ['go', 'version'], file: 'check.go', run: ['go', 'run'] },
    program: (example) =>
      `${example.replace('package receiver', 'package main').replace('import (', 'import (\n"encoding/json"\n"fmt"\n"os"')}
       func main() {
         var given struct { Secret string; Headers map[string]string; Body string }
         if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil { panic(err) }
         fmt.Println(IsGenuine(given.Secret, given.Headers, []byte(given.Body)))
       }`,
  },
}

const PAGE = readFileSync(join(ROOT, 'docs/reference/webhooks.md'), 'utf8')

const exampleOf = (fence: string): string => {
  const [, example] = new RegExp(`\`\`\`${fence}\\n(.*?)\`\`\``, 's').exec(PAGE) ?? []
  if (example === undefined) throw new Error(`the page has no example in ${fence}`)
  return example
}

/** Returns the delivery that the service sends to a receiver at an instant, caught before it leaves. */
const deliveredAt = async (instant: Date): Promise<Delivery> => {
  const { secrets } = webhookForm.connection({ url: 'https://receiver.example/in', access_token: 'a-token' })
  let caught: Delivery | undefined
  const outbound: Outbound = (call) => {
    const headers = Object.entries(call.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    caught = {
      secret: secrets.signing_secret ?? '',
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: String(call.body),
    }
    return Promise.resolve({ kind: 'unsent', reason: 'no_host' })
  }
  const connection = { id: 7, url: 'https://receiver.example/in', secrets } as Parameters<typeof webhookTarget>[0]
  const access = { outbound, serviceName: 'Galley', now: () => instant }
  await webhookTarget(connection, access).deliver({
    key: '0b9bd9a5-3f0e-8a52-a1c4-0c1f9d5e7a11',
    event: 'publish_articles',
    article: {
      ...{ id: '41', title: 'Crème brûlée – 作り方', slug: 'creme', content_html: '<p>Œufs 🥚</p>' },
      ...{ content_markdown: 'Œufs 🥚', meta_description: '', image_url: '', alt_text: '', tags: [], category: '' },
      ...{ created_at: instant.toISOString(), updated_at: instant.toISOString(), author: '', status: 'Published' },
    },
    origin: 'call',
    firstSentAt: instant.toISOString(),
    updateOnly: false,
    isChange: false,
    isRepeat: false,
    generation: 0,
    hostImages: false,
  } as Parameters<ReturnType<typeof webhookTarget>['deliver']>[0])
  if (!caught) throw new Error('nothing was sent')
  return caught
}

let folder: string
let fresh: Delivery
let old: Delivery
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'galley-webhook-page-'))
  fresh = await deliveredAt(new Date())
  old = await deliveredAt(new Date(Date.now() - 20 * 60_000))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withHeader = (delivery: Delivery, name: string, value: string): Delivery => ({
  ...delivery,
  headers: { ...delivery.headers, [name]: value },
})

/** Deliveries, and whether a receiver has to take them for genuine. */
const cases = (): [name: string, delivery: Delivery, genuine: boolean][] => {
  const signature = fresh.headers['webhook-signature'] ?? ''
  const { 'webhook-signature': _, ...unsigned } = fresh.headers
  return [
    ['as it was sent', fresh, true],
    ['with a second signature', withHeader(fresh, 'webhook-signature', `v1,AAAA ${signature}`), true],
    ['with another text', { ...fresh, body: fresh.body.replace('Œufs', 'Oeufs') }, false],
    ['under another id', withHeader(fresh, 'webhook-id', 'another'), false],
    ['with another secret', { ...fresh, secret: old.secret }, false],
    ['with another version of signature', withHeader(fresh, 'webhook-signature', signature.replace('v1', 'v2')), false],
    ['unsigned', { ...fresh, headers: unsigned }, false],
    ['twenty minutes old', old, false],
    ['without a time', withHeader(fresh, 'webhook-timestamp', 'now'), false],
  ]
}

const isThere = ({ version: [command = '', ...args] }: Language): boolean => spawnSync(command, args).status === 0

/** `npm run test:docs` installs all of them, and says so; else those that are installed are tried. */
const there = Object.entries(LANGUAGES).filter(([, language]) => process.env.LANGUAGES === 'all' || isThere(language))

test('the page has an example in five languages', () => {
  for (const { fence } of Object.values(LANGUAGES)) expect(exampleOf(fence)).toContain('webhook-signature')
  expect(there.map(([name]) => name)).toContain('JavaScript')
})

test.for(there)(
  'the example in %s tells what the service signed from anything else',
  { timeout: 60_000 },
  ([, language]) => {
    const path = join(folder, language.file)
    writeFileSync(path, language.program(exampleOf(language.fence)))
    const [command = '', ...args] = language.run
    for (const [name, delivery, genuine] of cases()) {
      const { stdout, stderr } = spawnSync(command, [...args, path], {
        input: JSON.stringify(delivery),
        encoding: 'utf8',
      })
      expect(stdout.trim() || stderr, name).toBe(String(genuine))
    }
  },
)
