import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { type RunningBluesky, startBluesky } from '../../../local/social/bluesky.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { facetsOf } from '../../../src/providers/social/bluesky/index.ts'
import { connectAccount } from '../../../src/reach/social/connect.ts'
import type { SocialProvider } from '../../../src/reach/social/port.ts'
import { directAccount } from '../../../src/reach/social/transport.ts'
import { pngOfBytes } from '../../content/media/pictures.ts'
import { systemFor } from '../../publishing/system.ts'
import { rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ownFaults } from '../../support/faults.ts'
import { fieldsOf } from '../../support/keys.ts'
import { madeBy, openSocial, type SocialScene } from './scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.telegramUrl)
const TOKEN = '100200300:local-telegram-bot-token-abcdef'

let scene: SocialScene
let server: RunningBluesky

beforeAll(async () => {
  scene = await openSocial(stack)
  server = await startBluesky({ identifier: 'sheds.bsky.social', password: 'abcd-efgh-ijkl-mnop' })
})
afterAll(() => server.close())
afterEach(() => {
  server.faults.set([])
  return faults.clear()
})

const connect = (body: Record<string, unknown>) =>
  scene.api.post('/social/accounts', { project_id: scene.projectId, ...body })

const publish = async (body: Record<string, unknown>) => {
  const answer = await scene.api.post('/social/publish', { project_id: scene.projectId, ...body })
  const [made] = madeBy(answer.body)
  if (!made) throw new Error(answer.text)
  return await scene.ended(made.post_id)
}

const words = () => `Level ground ${randomBytes(6).toString('hex')}`

type Posted = { text: string; facets?: unknown[]; embed?: Record<string, unknown> }
const records = (text: string): Posted[] =>
  [...server.records.values()].map(({ value }) => value as Posted).filter((record) => record.text.startsWith(text))

describe('Bluesky', () => {
  it('is connected by checking the app password, which no answer contains', async () => {
    const given = { platform: 'bluesky', identifier: '@sheds.bsky.social', service_url: server.url }
    const wrong = await connect({ ...given, app_password: 'wrong' })
    expectError(wrong, 'social_account_rejected')
    expect(wrong.body.upstream).toMatchObject({
      status: 401,
      message: expect.stringMatching(/Invalid identifier.*Make an app password/),
    })
    const { status, body, text } = await connect({ ...given, app_password: 'abcd-efgh-ijkl-mnop' })
    expect([status, body]).toEqual([
      201,
      {
        status: 'connected',
        account: {
          platform: 'bluesky',
          account_id: expect.stringMatching(/^acc_\d+$/),
          account_name: 'sheds.bsky.social',
          username: 'sheds.bsky.social',
        },
        message: expect.stringMatching(/\S/),
      },
    ])
    expect(text).not.toContain('abcd-efgh')
    expectError(await connect({ ...given, service_url: undefined }), 'invalid_input')
  })

  it('at an address where no server is, is refused at its field', async () => {
    const given = { platform: 'bluesky', identifier: 'sheds.bsky.social', app_password: 'abcd-efgh-ijkl-mnop' }
    const service_url = 'https://no-such-server.invalid'
    const nowhere = await connect({ ...given, service_url })
    expectError(nowhere, 'invalid_input')
    expect(nowhere.body.details).toEqual([
      { field: 'service_url', message: `nothing answers at ${service_url}, where signing in was tried` },
    ])
    const inside = await connect({ ...given, service_url: 'http://10.0.0.1' })
    expectError(inside, 'forbidden_url')
    expect(fieldsOf(inside.body)).toEqual(['service_url'])
  })

  it('posts with live links, hashtags and a card', async () => {
    const content = `👋 ${words()} #sheds`
    const found = await publish({ content, platforms: ['bluesky'], link: 'https://sheds.example/a' })
    expect(found).toMatchObject({
      status: 'published',
      url: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/sheds\.bsky\.social\/post\/[a-z2-7]{13}$/),
    })
    const [record, ...others] = records(content)
    expect(others).toEqual([])
    expect(record).toMatchObject({
      text: `${content}\n\nhttps://sheds.example/a`,
      embed: { $type: 'app.bsky.embed.external', external: { uri: 'https://sheds.example/a' } },
    })
    expect(record?.facets).toHaveLength(2)
  })

  it('carries pictures as blobs with their texts', async () => {
    const content = words()
    const media_files = [{ type: 'image', url: `${server.url}/_image.png`, alt_text: 'A shed', width: 1, height: 1 }]
    expect(await publish({ content, platforms: ['bluesky'], media_files })).toMatchObject({ status: 'published' })
    expect(records(content)[0]?.embed).toMatchObject({
      $type: 'app.bsky.embed.images',
      images: [
        { alt: 'A shed', image: { $type: 'blob', mimeType: 'image/png' }, aspectRatio: { width: 1, height: 1 } },
      ],
    })
  })

  it('renews its tokens when they end, without signing in again', async () => {
    const before = server.signIns()
    server.expireTokens()
    expect(await publish({ content: words(), platforms: ['bluesky'] })).toMatchObject({ status: 'published' })
    server.expireTokens()
    expect(await publish({ content: words(), platforms: ['bluesky'] })).toMatchObject({ status: 'published' })
    expect(server.signIns()).toBe(before)
  })

  it.each([
    ['takes the post and breaks the connection', { path: 'putRecord', drop: 'after', times: 1 } as const],
    ['breaks the connection first', { path: 'putRecord', drop: 'before', times: 1 } as const],
    ['answers 502', { path: 'putRecord', status: 502, times: 1 } as const],
    ['answers 429', { path: 'putRecord', status: 429, answer: { error: 'RateLimitExceeded' }, times: 1 } as const],
  ])('%s: the post is out once', async (_, rule) => {
    const content = words()
    server.faults.set([rule])
    expect(await publish({ content, platforms: ['bluesky'] })).toMatchObject({ status: 'published', error: null })
    expect(records(content)).toHaveLength(1)
  })

  it('an app password that its owner revoked disconnects the account, once connected again posts go out', async () => {
    const own = await openSocial(stack)
    const given = {
      project_id: own.projectId,
      platform: 'bluesky',
      identifier: 'sheds.bsky.social',
      service_url: server.url,
    }
    const post = async () => {
      const { body } = await own.api.post('/social/publish', {
        project_id: own.projectId,
        content: words(),
        platforms: ['bluesky'],
      })
      return madeBy(body)[0]?.post_id ?? 0
    }
    await own.api.post('/social/accounts', { ...given, app_password: 'abcd-efgh-ijkl-mnop' })
    server.changePassword('qrst-uvwx-yzab-cdef')
    const reason = expect.stringMatching(/Invalid identifier or password\. Make an app password at Bluesky/)
    expect(await own.ended(await post())).toMatchObject({ status: 'failed', error: reason })
    const list = async () => (await own.api.get(`/social/accounts?project_id=${own.projectId}`)).body
    expect(await list()).toMatchObject({
      connected: false,
      lapsed_accounts: [{ platform: 'bluesky', username: 'sheds.bsky.social', status: 'lapsed', error: reason }],
    })
    await own.api.post('/social/accounts', { ...given, app_password: 'qrst-uvwx-yzab-cdef' })
    expect(await own.ended(await post())).toMatchObject({ status: 'published' })
    expect(await list()).not.toHaveProperty('lapsed_accounts')
    server.changePassword('abcd-efgh-ijkl-mnop')
  })

  it('refuses videos and what is too long before anything is sent', async () => {
    const video = await scene.api.post('/social/publish', {
      project_id: scene.projectId,
      content: 'x',
      platforms: ['bluesky'],
      media_files: ['https://videos.example/a.mp4'],
    })
    expectError(video, 'invalid_input')
    expect(fieldsOf(video.body)).toEqual(['media_files'])
    const large = await scene.api.post('/social/publish', {
      project_id: scene.projectId,
      content: 'x',
      platforms: ['bluesky'],
      media_files: [{ type: 'image', url: 'https://pictures.example/a.png', size: 2_000_001 }],
    })
    expectError(large, 'invalid_input')
  })
})

describe('Telegram', () => {
  const messages = async () =>
    (await (await fetch(`${stack.telegramUrl}/_posts`)).json()) as {
      text?: string
      caption?: string
      media: string[]
      uploads: { name: string; type: string; bytes: number; sha256: string }[]
    }[]

  it('is connected by a bot that may post, and its token is in no answer', async () => {
    const wrong = await connect({ platform: 'telegram', bot_token: TOKEN, chat_id: '@somewhere_else' })
    expectError(wrong, 'social_account_rejected')
    expect(wrong.text).not.toContain(TOKEN)
    const { status, body, text } = await connect({ platform: 'telegram', bot_token: TOKEN, chat_id: '@sample_channel' })
    expect([status, body.account]).toMatchObject([
      201,
      { platform: 'telegram', account_name: 'Sample channel', username: 'sample_channel' },
    ])
    expect(text).not.toContain(TOKEN)
    const nonsense = await connect({ platform: 'telegram', bot_token: 'nonsense', chat_id: '@sample_channel' })
    expectError(nonsense, 'invalid_input')
    expect(fieldsOf(nonsense.body)).toEqual(['bot_token'])
  })

  it('sends a text, and a picture with a caption', async () => {
    const [first, second] = [words(), words()]
    expect(await publish({ content: first, platforms: ['telegram'] })).toMatchObject({
      status: 'published',
      url: expect.stringMatching(/^https:\/\/t\.me\/sample_channel\/\d+$/),
    })
    await publish({ content: second, platforms: ['telegram'], media_files: ['https://images.example/a.png'] })
    const large = await scene.api.post('/social/publish', {
      project_id: scene.projectId,
      content: second,
      platforms: ['telegram'],
      media_files: [{ type: 'video', url: 'https://videos.example/a.mp4', size: 20 * 1024 * 1024 + 1 }],
    })
    expect(fieldsOf(large.body)).toEqual(['media_files'])
    const hosted = `${stack.url}/media/${'a'.repeat(64)}.mp4`
    const tooLarge = await scene.api.post('/social/publish', {
      project_id: scene.projectId,
      content: second,
      platforms: ['telegram'],
      media_files: [{ type: 'video', url: hosted, size: 50 * 1024 * 1024 + 1 }],
    })
    expect(fieldsOf(tooLarge.body)).toEqual(['media_files'])
    const all = await messages()
    expect(all.filter(({ text }) => text === first)).toHaveLength(1)
    expect(all.find(({ caption }) => caption === second)?.media).toEqual(['https://images.example/a.png'])
  })

  it('is sent files that are hosted here, whole, and the addresses of others', async () => {
    const bytes = pngOfBytes(5_000)
    const { body: made } = await scene.api.post('/images', { image_base64: bytes.toString('base64') })
    const media = { type: 'image', url: String(made.url) }
    const [first, second] = [words(), words()]
    expect(await publish({ content: first, platforms: ['telegram'], media_files: [media] })).toMatchObject({
      status: 'published',
    })
    const others = [media, 'https://videos.example/a.mp4', media.url]
    await publish({ content: second, platforms: ['telegram'], media_files: others })
    const all = await messages()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const upload = { type: 'image/png', bytes: bytes.length, sha256 }
    expect(all.filter(({ caption }) => caption === first)).toMatchObject([
      { media: ['attach://file0'], uploads: [{ name: 'file0', ...upload }] },
    ])
    expect(all.filter(({ caption }) => caption === second)).toMatchObject([
      {
        media: ['attach://file0', 'https://videos.example/a.mp4', 'attach://file1'],
        uploads: [upload, { name: 'file1', ...upload }],
      },
    ])
  })

  it('waits for the time that it names', async () => {
    const content = words()
    await faults.set({
      body: content,
      status: 429,
      answer: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } },
      times: 1,
    })
    expect(await publish({ content, platforms: ['telegram'] })).toMatchObject({ status: 'published' })
    expect((await messages()).filter(({ text }) => text === content)).toHaveLength(1)
  })

  it.each([
    [401, 'Unauthorized', /401: Unauthorized\. Get a new token from BotFather/],
    [
      403,
      'Forbidden: bot was kicked from the channel chat',
      /kicked from the channel chat\. Make the bot an administrator/,
    ],
  ])('a bot that lost its access (%i) disconnects the channel', async (status, description, said) => {
    const own = await openSocial(stack)
    const given = { project_id: own.projectId, platform: 'telegram', bot_token: TOKEN, chat_id: '@sample_channel' }
    await own.api.post('/social/accounts', given)
    const content = words()
    await faults.set({ body: content, status, answer: { ok: false, error_code: status, description } })
    const post = { project_id: own.projectId, content, platforms: ['telegram'] }
    const [made] = madeBy((await own.api.post('/social/publish', post)).body)
    expect(await own.ended(made?.post_id ?? 0)).toMatchObject({ status: 'failed', error: expect.stringMatching(said) })
    expect((await own.api.get(`/social/accounts?project_id=${own.projectId}`)).body).toMatchObject({
      connected: false,
      lapsed_accounts: [{ platform: 'telegram', status: 'lapsed', error: expect.stringMatching(said) }],
    })
  })

  it('is never sent again automatically after a lost answer, and says what is unknown', async () => {
    const content = words()
    await faults.set({ body: content, drop: 'after', times: 1 })
    const found = await publish({ content, platforms: ['telegram'] })
    expect(found).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not known whether the post is out'),
    })
    expect((await messages()).filter(({ text }) => text === content)).toHaveLength(1)
    const kept = await scene.api.del(`/social/posts/${String(found.post_id)}`)
    expectError(kept, 'invalid_transition')
    expect(kept.body.status).toBe('failed')
  })
})

it('an account that is connected again keeps its id, and its waiting posts are sent', async () => {
  const own = await openSocial(stack)
  const given = { project_id: own.projectId, platform: 'telegram', bot_token: TOKEN, chat_id: '@sample_channel' }
  const first = (await own.api.post('/social/accounts', given)).body.account
  const content = words()
  const { body } = await own.api.post('/social/publish', {
    project_id: own.projectId,
    content,
    platforms: ['telegram'],
    scheduled_for: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const { account_id: opened } = first as { account_id: string }
  const old = await directAccount(systemFor(stack, own.api.accountId), own.projectId, opened)
  const again = await own.api.post('/social/accounts', { ...given, name: 'Renamed' })
  expect([again.status, again.body.account]).toEqual([201, { ...(first as object), account_name: 'Renamed' }])
  const { accounts } = (await own.api.get(`/social/accounts?project_id=${own.projectId}`)).body
  expect(accounts).toEqual([again.body.account])
  // The network refused the secrets it had before.
  await old?.end('Refused.')
  expect((await own.api.get(`/social/accounts?project_id=${own.projectId}`)).body.accounts).toEqual(accounts)
  const id = madeBy(body)[0]?.post_id ?? 0
  await own.api.post(`/social/posts/${id}/publish`)
  expect(await own.ended(id)).toMatchObject({ status: 'published', content })
})

it('an account that is disconnected while it is used keeps no tokens', async () => {
  const own = await openSocial(stack)
  const given = { project_id: own.projectId, platform: 'telegram', bot_token: TOKEN, chat_id: '@sample_channel' }
  const { account_id: id } = (await own.api.post('/social/accounts', given)).body.account as { account_id: string }
  const used = await directAccount(systemFor(stack, own.api.accountId), own.projectId, id)
  expect((await own.api.del(`/social/accounts/${id}`)).status).toBe(200)
  await used?.keepSession({ access: 'a', refresh: 'b' })
  const rows = await rowsIn(
    stack,
    sql`select sealed_secrets, sealed_session from social_accounts where project_id = ${own.projectId}::int`,
  )
  expect(rows).toEqual([{ sealed_secrets: '', sealed_session: null }])
})

it('lapsed accounts are listed separately, with what to do, until they are connected again', async () => {
  const own = await openSocial(stack)
  const list = async () => (await own.api.get(`/social/accounts?project_id=${own.projectId}`)).body
  const given = { project_id: own.projectId, platform: 'telegram', bot_token: TOKEN, chat_id: '@sample_channel' }
  const { account_id: id } = (await own.api.post('/social/accounts', given)).body.account as { account_id: string }
  const linkedin = await own.connect('linkedin')
  const both = await list()
  expect(both).toEqual({ connected: true, accounts: [expect.anything(), expect.anything()] })
  const used = await directAccount(systemFor(stack, own.api.accountId), own.projectId, id)
  await used?.end('The bot was removed from the channel.')
  const one = await list()
  expect(one).toMatchObject({
    connected: true,
    accounts: [{ account_id: linkedin }],
    lapsed_accounts: [
      { platform: 'telegram', account_id: id, status: 'lapsed', error: 'The bot was removed from the channel.' },
    ],
    instructions_for_agent: expect.stringMatching(/Telegram, .* POST \/social\/accounts .*"telegram"/),
  })
  await fetch(`${stack.zernioUrl}/_lapse?account=${linkedin}`, { method: 'POST' })
  expect(await list()).toMatchObject({
    connected: false,
    accounts: [],
    lapsed_accounts: [
      { platform: 'linkedin', account_id: linkedin, status: 'lapsed', error: expect.stringContaining('no longer') },
      { account_id: id },
    ],
  })
  const { status, body } = await own.api.post('/social/accounts', given)
  expect(status).toBe(201)
  const last = await list()
  expect(last).toMatchObject({ connected: true, accounts: [body.account], lapsed_accounts: [{ account_id: linkedin }] })
  // A dismissed one is not listed.
  const { account_id: next } = body.account as { account_id: string }
  await (await directAccount(systemFor(stack, own.api.accountId), own.projectId, next))?.end('Gone.')
  expect((await list()).lapsed_accounts).toMatchObject([{ account_id: linkedin }, { account_id: next, error: 'Gone.' }])
  expect((await own.api.del(`/social/accounts/${next}`)).status).toBe(200)
  expect(await list()).toMatchObject({ connected: false, lapsed_accounts: [{ account_id: linkedin }] })
})

it('two first accounts at the provider at once go to one profile', { tags: ['services'] }, async () => {
  const own = await openSocial(stack)
  const profiles = ['first', 'second']
  const provider = {
    profile: async () => ({ kind: 'got', value: profiles.shift() }),
    connectUrl: async (profile: string) => ({ kind: 'got', value: `https://provider.example/${profile}` }),
  } as unknown as SocialProvider
  const ctx = systemFor(stack, own.api.accountId)
  const ask = () => connectAccount(ctx, { provider, direct: {} }, { project_id: own.projectId, platform: 'linkedin' })
  // Both have read that the project has no profile before either stores one.
  const late: Ctx = {
    ...ctx,
    batch: async (statements, options) => {
      const before = await ask()
      expect(before).toMatchObject({ connect_url: 'https://provider.example/second' })
      return await ctx.batch(statements, options)
    },
  }
  expect(
    await connectAccount(late, { provider, direct: {} }, { project_id: own.projectId, platform: 'linkedin' }),
  ).toMatchObject({ connect_url: 'https://provider.example/second' })
})

it('an account that was disconnected is used no more', async () => {
  const { body } = await scene.api.get(`/social/accounts?project_id=${scene.projectId}`)
  const accounts = body.accounts as { account_id: string; platform: string }[]
  const telegram = accounts.find(({ platform }) => platform === 'telegram')?.account_id ?? ''
  const other = await openSocial(stack)
  expectError(await other.api.del(`/social/accounts/${telegram}`), 'forbidden')
  const { body: made } = await scene.api.post('/social/publish', {
    project_id: scene.projectId,
    content: words(),
    platforms: ['telegram'],
    scheduled_for: new Date(Date.now() + 86_400_000).toISOString(),
  })
  expect((await scene.api.del(`/social/accounts/${telegram}`)).body).toMatchObject({
    account_id: telegram,
    deleted: true,
  })
  expectError(await scene.api.del(`/social/accounts/${telegram}`), 'not_found')
  const id = madeBy(made)[0]?.post_id ?? 0
  await scene.api.post(`/social/posts/${id}/publish`)
  expect(await scene.ended(id)).toMatchObject({ status: 'failed', error: 'The Telegram account was disconnected.' })
})

// bluesky-social/social-app#10778, jcrabapple/feedecho#35
it('hashtags are the ones that Bluesky’s own application finds', () => {
  const tagsOf = (text: string) =>
    facetsOf(text, new Map()).flatMap(({ features }) => features.flatMap((one) => ('tag' in one ? one.tag : [])))
  expect(tagsOf('#X-Men! #c++, #c# #a-b #snake_case #3d #🎉')).toEqual([
    'X-Men',
    'c++',
    'c',
    'a-b',
    'snake_case',
    '3d',
    '🎉',
  ])
  expect(tagsOf('＃タグ #हिन्दी। #العربية؟ #tag\u200b')).toEqual(['タグ', 'हिन्दी', 'العربية', 'tag'])
  expect(tagsOf(`#2026 #… a#b (#c) #️⃣ #${'a'.repeat(65)}`)).toEqual([])
})

it('facets are counted in bytes', () => {
  expect(facetsOf('👋 https://x.example.', new Map())).toEqual([
    {
      index: { byteStart: 5, byteEnd: 22 },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://x.example' }],
    },
  ])
  expect(facetsOf('@a.example hi', new Map([['a.example', 'did:plc:a']]))).toMatchObject([
    { index: { byteStart: 0, byteEnd: 10 }, features: [{ did: 'did:plc:a' }] },
  ])
  expect(facetsOf('see #sheds, not a#b', new Map())).toMatchObject([{ features: [{ tag: 'sheds' }] }])
  expect(facetsOf('#é #b https://x.example', new Map()).map(({ index }) => [index.byteStart, index.byteEnd])).toEqual([
    [0, 3],
    [4, 6],
    [7, 24],
  ])
})
