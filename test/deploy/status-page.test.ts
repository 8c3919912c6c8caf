import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { statusPage, writeStatusPage } from '../../scripts/deploy/alarms/status-page.ts'
import { sha256, signedHeaders } from '../../scripts/deploy/s3.ts'
import type { Settings } from '../../scripts/deploy/settings.ts'

const NOW = new Date('2026-11-29T00:10:00Z')

it('a request is signed as the documentation of S3 signs its example', () => {
  const access = {
    region: 'us-east-1',
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const request = {
    method: 'GET',
    url: 'https://examplebucket.s3.amazonaws.com/test.txt',
    headers: { range: 'bytes=0-9' },
    digest: sha256(''),
  }
  const { authorization } = signedHeaders(request, access, new Date('2013-05-24T00:00:00Z'))
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

it('the page says that all works, or what people notice, and when that was checked', () => {
  expect(statusPage('Galley', [], NOW)).toMatch(/All parts work\..*Checked on 2026-11-29 00:10 UTC/s)
  const page = statusPage('Galley', ['articles are published <late>', 'see `costs.md`'], NOW)
  expect(page).toContain('<li>articles are published &lt;late&gt;</li><li>see costs.md</li>')
  expect(page).not.toContain('All parts work')
})

it('the page is written into the bucket, and a refusal is told', async () => {
  const written: { url: string; body: string; type: string | undefined }[] = []
  let status = 200
  const server = createServer((req, res) => {
    let body = ''
    req
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        written.push({ url: `${req.method} ${req.url}`, body, type: req.headers['content-type'] })
        res.writeHead(status).end(status === 200 ? '' : '<Code>AccessDenied</Code>')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const settings = {
    STATUS_BUCKET_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/status/`,
    STATUS_BUCKET_KEY_ID: 'id',
    STATUS_BUCKET_SECRET: 'secret',
  } as Settings
  expect(await writeStatusPage(settings, ['articles are published late'], NOW)).toBeUndefined()
  expect(written).toMatchObject([
    {
      url: 'PUT /status/index.html',
      body: statusPage('Galley', ['articles are published late'], NOW),
      type: 'text/html; charset=utf-8',
    },
  ])
  status = 403
  expect(await writeStatusPage(settings, [], NOW)).toContain('403 <Code>AccessDenied')
  expect(await writeStatusPage({} as Settings, [], NOW)).toBeUndefined()
})
