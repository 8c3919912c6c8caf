import { afterEach, expect, it } from 'vitest'
import { type RunningTelegram, startTelegram } from '../../local/social/telegram.ts'
import { telegram } from '../../src/providers/social/telegram/index.ts'
import type { DirectAccount } from '../../src/reach/social/port.ts'
import { clockAt, meansAt } from './drive.ts'

const TOKEN = '42:a-token-of-a-bot-at-telegram'
const GROUP = '-1001234567890'
const clock = clockAt('2026-11-21T10:00:00Z')
let standIn: RunningTelegram | undefined
afterEach(() => standIn?.close())

it('a group that became a supergroup gets its posts under its new number', async () => {
  standIn = await startTelegram({ token: TOKEN, movedTo: -1_009_876_543_210 })
  const asItWas = await fetch(`${standIn.url}/bot${TOKEN}/sendMessage`, {
    method: 'POST',
    body: JSON.stringify({ chat_id: GROUP, text: 'Hello' }),
  })
  expect([asItWas.status, standIn.messages]).toEqual([400, []])
  const network = telegram({
    outbound: meansAt(clock).outbound,
    baseUrl: standIn.url,
    files: { has: () => false, look: async () => undefined },
  })
  const account: DirectAccount = {
    remoteId: GROUP,
    username: GROUP,
    url: standIn.url,
    secrets: { bot_token: TOKEN, username: '' },
    session: async () => null,
    keepSession: async () => {},
    end: async () => {},
  }
  const post = {
    key: 'k',
    platform: 'telegram',
    accountId: '1',
    text: 'Hello',
    link: null,
    media: [],
    options: {},
    askedAt: clock.now(),
    remoteId: null,
  } as const
  expect(await network.send(account, post)).toMatchObject({ kind: 'published', remoteId: '1' })
  expect(standIn.messages).toEqual([expect.objectContaining({ text: 'Hello' })])
})
