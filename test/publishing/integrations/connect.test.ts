import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { startReceiver } from '../../../local/receiver/server.ts'
import { openTarget } from '../../../src/publishing/target/open.ts'
import type { TargetFactory } from '../../../src/publishing/target/publish-target.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn, tell } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { systemFor } from '../system.ts'

const stack = inject('stack')

const connect = (api: Api, project: number, fields: Record<string, unknown> = {}) =>
  api.post(`/projects/${project}/integrations`, {
    platform: 'webhook',
    url: 'https://blog.example/hook',
    access_token: 'a-token-of-mine',
    ...fields,
  })

const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api) }
}

describe('POST /projects/:id/integrations', () => {
  it('answers 201 with a signing secret of 32 bytes, another each time', async () => {
    const { api, project } = await fresh()
    const { status, body } = await connect(api, project, { platform: 'WebHook' })
    expect(status).toBe(201)
    expect(body).toEqual({
      integration_id: expect.any(Number),
      platform: 'webhook',
      status: 'connected',
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      message: expect.any(String),
      warning: expect.stringContaining('did not accept a test event'),
    })
    const again = await connect(api, project)
    expect(again.body.signing_secret).not.toBe(body.signing_secret)
  })

  it.each([
    ['accepts it', {}, null],
    ['refuses the token', { mode: 'reject' }, '401'],
    ['is down', { mode: 'down' }, '500'],
  ])('sends a receiver one empty test event, and records the result: it %s', async (_, mode, error) => {
    const { api, project } = await fresh()
    const receiver = await startReceiver({ port: 0, token: 'a-token-of-mine' })
    await tell(receiver.url, '/_control', mode)
    const { status, body } = await connect(api, project, { url: `${receiver.url}/webhook` })
    expect(status).toBe(201)
    const [row] = rowsOf((await api.get('/integrations')).body, 'integrations')
    expect(row).toMatchObject({ LastUsedAt: expect.any(String) })
    if (error === null)
      expect([row?.LastError, body.message]).toEqual([null, expect.stringContaining('accepted a test')])
    else
      expect([row?.LastError, body.warning]).toEqual([
        expect.stringContaining(error),
        expect.stringContaining(String(row?.LastError)),
      ])
    const [sent, made] = await Promise.all(
      ['tests', 'deliveries'].map(async (kind) => (await fetch(`${receiver.url}/api/${kind}`)).json()),
    )
    expect(made).toMatchObject({ deliveries: [] })
    const events = (sent as { tests: { raw_body: string }[] }).tests.map(({ raw_body }) => JSON.parse(raw_body))
    expect(events).toMatchObject([{ event_type: 'publish_articles', test: true, data: { articles: [] } }])
    await receiver.close()
  })

  it('names the fields the platform does not have', async () => {
    const { api, project } = await fresh()
    const { status, body } = await connect(api, project, { acess_token: 'x', site_id: '7' })
    expect([status, body.ignored]).toEqual([201, ['acess_token', 'site_id']])
    expect(body.notes).toEqual({
      acess_token: expect.stringContaining('Did you mean access_token?'),
      site_id: expect.stringContaining('left out'),
    })
  })

  it('as a WordPress site by its short path, names all that is missing or wrong at once', async () => {
    const { api, project } = await fresh()
    const path = `/projects/${project}/cms-site`
    const { status, body } = await api.post(path, {})
    expect([status, fieldsOf(body).sort()]).toEqual([400, ['cms_url', 'integration_key']])
    for (const field of ['cms_url', 'wordpress_url']) {
      const wrong = await api.post(path, { [field]: 'no address' })
      expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_input'])
      expect(fieldsOf(wrong.body).sort()).toEqual([field, 'integration_key'].sort())
    }
  })

  it('warns of an address without TLS, and names the connection after its host', async () => {
    const { api, project } = await fresh()
    const { body } = await connect(api, project, { url: 'http://blog.example/hook' })
    expect(body.warning).toEqual(expect.stringContaining('https'))
    expect(rowsOf((await api.get('/integrations')).body, 'integrations')[0]).toMatchObject({
      IntegrationName: 'blog.example',
      Url: 'http://blog.example/hook',
    })
  })

  it('replaces the target the project had, and forgets its secrets', async () => {
    const { api, project } = await fresh()
    const first = await connect(api, project)
    const second = await connect(api, project, { url: 'https://new.example/hook' })
    const { body } = await api.get(`/integrations?project_id=${project}`)
    expect(rowsOf(body, 'integrations').map((row) => row.ID)).toEqual([second.body.integration_id])
    const [old] = await rowsIn(
      stack,
      sql`select status, sealed_secrets from integrations where id = ${Number(first.body.integration_id)}`,
    )
    expect(old).toEqual({ status: 'Disconnected', sealed_secrets: '' })
    expect((await api.post(`/integrations/${String(first.body.integration_id)}/test`)).status).toBe(404)
  })

  it('leaves one active target however many are connected at the same moment', { tags: ['services'] }, async () => {
    const { api, project } = await fresh()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => connect(api, project, { url: `https://b${n}.example/` })))
    for (const { status, body } of answers) {
      expect([201, 409]).toContain(status)
      if (status === 409) expect(body).toMatchObject({ code: 'edit_conflict', retryable: true })
    }
    const rows = rowsOf((await api.get(`/integrations?project_id=${project}`)).body, 'integrations')
    expect(rows).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 201).map(({ body }) => body.integration_id)).toContain(rows[0]?.ID)
  })

  it('stores the secrets sealed, and never shows them again', async () => {
    const { api, project } = await fresh()
    const token = `tok-${randomBytes(12).toString('hex')}`
    const { body } = await connect(api, project, { url: `${stack.receiverUrl}/webhook`, access_token: token })
    const id = Number(body.integration_id)
    const secret = String(body.signing_secret)
    const [row] = await rowsIn<{ sealed: string; row: string }>(
      stack,
      sql`select sealed_secrets as sealed, to_jsonb(i)::text as row from integrations i where id = ${id}`,
    )
    expect(row?.sealed).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+\.bound$/)
    const article = await newArticle(api, project)
    const shown = [
      await api.get('/integrations'),
      await api.post(`/integrations/${id}/test`),
      await api.post(`/articles/${article}/publish`),
      await api.get(`/articles/${article}`),
      await api.get('/webhook-deliveries'),
    ]
    const delivery = rowsOf(shown[4]?.body ?? {}, 'deliveries')[0]?.id
    shown.push(await api.get(`/webhook-deliveries/${String(delivery)}`), await api.del(`/integrations/${id}`))
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 200, 200])
    const audit = await rowsIn(
      stack,
      sql`select to_jsonb(l)::text as row from audit_log l where account_id = ${api.accountId}`,
    )
    const places = {
      answers: shown.map(({ text }) => text).join('\n'),
      row: row?.row ?? '',
      audit: JSON.stringify(audit),
      log: readFileSync(stack.logFile, 'utf8'),
    }
    expect(places.log.length).toBeGreaterThan(0)
    expect(places.audit).toContain('integration.connect')
    for (const [place, text] of Object.entries(places))
      for (const hidden of [token, secret, secret.slice('whsec_'.length), Buffer.from(token).toString('base64')])
        expect([place, text.includes(hidden)]).toEqual([place, false])
  })
})

describe('addresses', () => {
  it.each([
    'http://10.0.0.1/',
    'http://10.255.255.255/hook',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.170.2/',
    'http://100.100.100.200/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://167772161/',
    'http://0xa000001/',
    'http://0x0a.0x00.0x00.0x01/',
    'http://012.0.0.1/',
    'http://0300.0250.0.1/',
    'http://10.1/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://１６９.２５４.１６９.２５４/',
    'http://169。254。169。254/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:a00:1::]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://METADATA.google.internal./',
    'http://metadata/',
    'http://instance-data/',
    'http://printer.local/',
    'http://router.lan/',
    'http://db.internal/',
    'http://nas.home.arpa/',
    'http://intranet/',
    'https://user:password@blog.example/',
    'https://user@blog.example/',
    'https://:password@blog.example/',
    'ftp://blog.example/',
    'file:///etc/passwd',
    'gopher://blog.example/',
    'ws://blog.example/',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('%s is forbidden', async (url) => {
    const { api, project } = await fresh()
    const { status, body } = await connect(api, project, { url })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'forbidden_url',
      code: 'forbidden_url',
      message: expect.any(String),
      retryable: false,
      request_id: expect.any(String),
    })
    expect(fieldsOf(body)).toEqual(['url'])
    expect((await api.get('/integrations')).body.count).toBe(0)
  })

  it.each([
    '',
    'blog.example/hook',
    '/hook',
    'http://',
    'https://exa mple.com/',
    'http://[::1',
    `https://a.example/${'x'.repeat(2_000)}`,
  ])('"%s" is no address', async (url) => {
    const { api, project } = await fresh()
    const { status, body } = await connect(api, project, { url })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(fieldsOf(body)).toEqual(['url'])
  })

  it.each([
    'https://blog.example/hook',
    'https://blog.example:8443/hook?site=1',
    'http://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://bücher.example/hook',
    // Development allows loopback.
    'http://localhost:4000/hook',
    'http://127.0.0.1:4000/hook',
    'http://[::1]:4000/hook',
  ])('%s is accepted', async (url) => {
    const { api, project } = await fresh()
    expect((await connect(api, project, { url })).status).toBe(201)
  })
})

describe('POST /projects/:id/integrations refuses', () => {
  it.each([
    ['no platform', { platform: undefined }, 'invalid_input', ['platform']],
    ['a platform that does not exist', { platform: 'blogger' }, 'invalid_input', ['platform']],
    ['no url', { url: undefined }, 'invalid_input', ['url']],
    ['no token', { access_token: undefined }, 'invalid_input', ['access_token']],
    ['neither', { url: undefined, access_token: undefined }, 'invalid_input', ['url', 'access_token']],
    ['an empty token', { access_token: '' }, 'invalid_input', ['access_token']],
    ['a token with a blank', { access_token: 'a b' }, 'invalid_input', ['access_token']],
    ['a token with a line end', { access_token: 'a\r\nX-Evil: 1' }, 'invalid_input', ['access_token']],
    ['a token beyond ASCII', { access_token: 'tökén' }, 'invalid_input', ['access_token']],
    ['an empty name', { name: '' }, 'invalid_input', ['name']],
  ])('%s', async (_, change, code, fields) => {
    const { api, project } = await fresh()
    const { status, body, text } = await connect(api, project, change)
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect([...new Set(fieldsOf(body))]).toEqual(fields)
    expect(text).not.toContain('a-token-of-mine')
  })

  it('a project of another account with 403, none with 404, no id with 400', async () => {
    const [{ api }, other] = await Promise.all([fresh(), fresh()])
    expect((await connect(api, other.project)).status).toBe(403)
    expect((await connect(api, 2_147_483_647)).status).toBe(404)
    expect((await connect(api, 0)).status).toBe(400)
    expect((await other.api.get('/integrations')).body.count).toBe(0)
  })
})

it('the secrets of one integration do not open in the place of another', async () => {
  const api = await newAccount(stack)
  const ids: number[] = []
  for (let n = 0; n < 2; n += 1) {
    ids.push(Number((await connect(api, await newProject(api))).body.integration_id))
  }
  const [one, other] = await rowsIn<{ id: number; sealed: string }>(
    stack,
    sql`select id, sealed_secrets as sealed from integrations where id = any(${sql.param(ids)}::int[]) order by id`,
  )
  if (!one || !other) throw new Error('two integrations were connected')
  const opened: string[] = []
  const targets: TargetFactory = ({ secrets }) => {
    opened.push(secrets.access_token ?? '')
    return undefined
  }
  const open = (id: number, sealedSecrets: string) =>
    openTarget(systemFor(stack, api.accountId), targets, { id, platform: 'webhook', url: '', sealedSecrets })
  await open(one.id, one.sealed)
  expect(opened).toEqual(['a-token-of-mine'])
  await expect(open(one.id, other.sealed)).rejects.toThrow()
})
