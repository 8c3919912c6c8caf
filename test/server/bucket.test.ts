import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveLoopback } from '../../local/loopback.ts'
import { filesIn, type StoredObject } from '../../local/r2/files.ts'
import { json, readBody, send } from '../../local/receiver/answers.ts'
import { signedHeaders } from '../../scripts/deploy/s3.ts'
import { bringAll, bucketAt, sendAll } from '../../server/bucket.ts'

const ACCESS = { region: 'eu-west-1', keyId: 'id', secret: 'secret' }

/** Starts a stand-in of S3 that checks signatures and lists one key a page. `fault.status` makes it fail. */
const startBucket = async () => {
  const objects = new Map<string, { bytes: Buffer; record: string }>()
  const fault: { status?: number } = {}
  const server = await serveLoopback(
    async (req, res) => {
      const body = await readBody(req, 1e6)
      const url = `http://${req.headers.host}${req.url}`
      const digest = createHash('sha256').update(body).digest('hex')
      const { authorization = '', 'x-amz-date': at = '' } = req.headers
      const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
      const signed = names.filter((name) => name !== 'host' && !name.startsWith('x-amz-c') && name !== 'x-amz-date')
      const headers = Object.fromEntries(signed.map((name) => [name, String(req.headers[name])]))
      const now = new Date(String(at).replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))
      const wanted = signedHeaders({ method: req.method ?? '', url, headers, digest }, ACCESS, now)
      if (fault.status) return send(res, json(fault.status, {}))
      if (wanted.authorization !== authorization) return send(res, { ...json(403, {}), body: '<Code>Signature</Code>' })
      const { pathname, searchParams } = new URL(url)
      const key = decodeURIComponent(pathname).replace('/pictures/', '')
      if (key === '') {
        const keys = [...objects.keys()].filter((one) => one.startsWith(searchParams.get('prefix') ?? '')).sort()
        const rest = keys.filter((one) => one > (searchParams.get('continuation-token') ?? ''))
        const [first] = rest
        const text = (first ?? '').replaceAll('&', '&amp;')
        const next = rest.length > 1 ? `<NextContinuationToken>${text}</NextContinuationToken>` : ''
        return send(res, { ...json(200, {}), body: `${first ? `<Key>${text}</Key>` : ''}${next}` })
      }
      if (req.method === 'PUT') objects.set(key, { bytes: body, record: String(req.headers['x-amz-meta-galley']) })
      if (req.method === 'DELETE') objects.delete(key)
      const object = objects.get(key)
      if (!object) return send(res, json(req.method === 'DELETE' ? 204 : 404, {}))
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
      const bytes = object.bytes.subarray(Number(from ?? 0), to === undefined ? undefined : Number(to) + 1)
      res.writeHead(200, { 'x-amz-meta-galley': object.record, 'content-length': bytes.length }).end(bytes)
    },
    () => json(500, {}),
  )
  const dir = mkdtempSync(join(tmpdir(), 'galley-bucket-'))
  onTestFinished(async () => {
    await server.close()
    rmSync(dir, { recursive: true })
  })
  const url = `${server.url}/pictures`
  return { bucket: bucketAt({ ...ACCESS, url }, join(dir, 'waiting')), url, dir, fault, objects }
}

const FIELDS = { httpFields: { contentType: 'image/png' }, customFields: [{ k: 'account', v: 'ü' }] }
const KEY = "a b/ü+(1)'!*&x.png"

const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text)
  }

const read = async (files: ReturnType<typeof filesIn>, object: StoredObject | undefined, offset = 0, length = 5) => {
  const chunks: Buffer[] = []
  for await (const chunk of await files.open('media', object as StoredObject, { offset, length })) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('a bucket keeps objects as the folder does, and a backup brings them into a folder and back', async () => {
  const { bucket, dir, objects } = await startBucket()
  const put = await bucket.put('media', KEY, bytesOf('hello'), FIELDS)
  await bucket.put('media', 'b', bytesOf(''), FIELDS)
  expect(await bucket.head('media', KEY)).toEqual(put)
  expect([await read(bucket, put), await read(bucket, put, 1, 3)]).toEqual(['hello', 'ell'])
  expect((await bucket.list('media', '')).map(({ key }) => key)).toEqual([KEY, 'b'])
  const never = bucket.put('media', KEY, bytesOf('other'), { ...FIELDS, may: () => false })
  await expect(never).rejects.toThrow('pre-conditions')

  const folder = join(dir, 'pictures')
  await bringAll(bucket, folder)
  const files = filesIn(folder)
  expect([await files.head('media', KEY), await read(files, put)]).toEqual([put, 'hello'])
  await bucket.remove('media', KEY)
  expect(await bucket.head('media', KEY)).toBeUndefined()
  await expect(read(bucket, put)).rejects.toThrow('does not exist')
  objects.clear()
  await sendAll(folder, bucket)
  expect([objects.size, await read(bucket, await bucket.head('media', KEY))]).toEqual([2, 'hello'])
})

it('a bucket that fails keeps nothing half, and says why', async () => {
  const { bucket, dir, fault, url, objects } = await startBucket()
  const wrong = bucketAt({ ...ACCESS, url, secret: 'other' }, dir)
  await expect(wrong.ask()).rejects.toThrow('the bucket answers 403 Signature')
  fault.status = 503
  await expect(bucket.put('media', KEY, bytesOf('hello'), FIELDS)).rejects.toThrow('the bucket answers 503')
  await expect(bucket.head('media', KEY)).rejects.toThrow('the bucket answers 503')
  expect([readdirSync(join(dir, 'waiting')), objects.size]).toEqual([[], 0])
  fault.status = 404
  await expect(bucket.ask()).rejects.toThrow('no such bucket')
})
