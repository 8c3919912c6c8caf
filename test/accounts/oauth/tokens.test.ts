import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { revokeKey } from '../../../src/platform/accounts/admin.ts'
import { sha256 } from '../../../src/platform/lib/crypto.ts'
import { rowsIn, runnerOf } from '../../support/client.ts'
import { signInByMail, sure } from '../people/browser.ts'
import { assertionOf, letIn, letInBy, pkce, register, statusOf, token, withTokens } from './flow.ts'

const stack = inject('stack')

/** One that proves itself by signing. */
const SIGNED = 'https://agents.example/signed.json'

/** Returns the id of the grant a token belongs to. */
const grantOf = (accessToken: string): string => accessToken.split(':')[1] ?? ''

/** Returns the start of a token, which names its person and grant. */
const grantNameOf = (refreshToken: string): string => refreshToken.split(':').slice(0, 2).join(':')

/** Makes the use of a refresh token two minutes older. It changes only this record, not those of other tests. */
const ageUse = async (refreshToken: string): Promise<void> => {
  const own = `used:${grantNameOf(refreshToken)}:${await sha256(`refresh_token\n${refreshToken}`)}`
  const aged = sql`update oauth_records set created_at = now() - interval '2 minutes' where key = ${own} returning key`
  expect(await rowsIn(stack, aged)).toEqual([{ key: own }])
}

describe('a code', () => {
  it('is refused with another verifier, redirect, client or audience', async () => {
    const { redemption } = await letIn(stack)
    const { body } = await register(stack)
    for (const wrong of [
      { code_verifier: pkce().verifier },
      { code_verifier: '' },
      { redirect_uri: 'http://127.0.0.1:9/elsewhere' },
      { client_id: body.client_id as string },
      { resource: 'https://elsewhere.example/mcp' },
    ]) {
      const answer = await token(stack, { ...redemption, ...wrong })
      expect(answer.status, JSON.stringify([wrong, answer.body])).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toHaveProperty('access_token')
    }
    expect((await token(stack, redemption)).status).toBe(200)
  })

  it('used twice is refused and ends the grant', async () => {
    const { redemption } = await letIn(stack)
    const { body } = await token(stack, redemption)
    expect(await statusOf(stack, body.access_token as string)).toBe(200)
    expect(await token(stack, redemption)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(stack, body.access_token as string)).toBe(401)
  })

  it('sent several times at once is redeemed at most once', { tags: ['services'] }, async () => {
    const { redemption } = await letIn(stack)
    const answers = await Promise.all(Array.from({ length: 6 }, () => token(stack, redemption)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('tokens', () => {
  it('are refused after their end', async () => {
    const { accessToken } = await withTokens(stack)
    await rowsIn(
      stack,
      sql`update oauth_records set expires_at = now() - interval '1 minute' where key like ${`token:%:${grantOf(accessToken)}:%`}`,
    )
    expect(await statusOf(stack, accessToken)).toBe(401)
  })

  it('are not made for another audience', async () => {
    const { refreshToken, clientId } = await withTokens(stack)
    const answer = await token(stack, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      resource: 'https://elsewhere.example/mcp',
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('are not refreshed once 90 days have passed without a use', async () => {
    const { accessToken, refreshToken, refresh } = await withTokens(stack)
    const [record] = await rowsIn<{ days: number }>(
      stack,
      sql`select extract(epoch from expires_at - now())::int / 86400.0 as days from oauth_records
        where key like ${`grant:%:${grantOf(accessToken)}`}`,
    )
    expect(Math.round(Number(record?.days))).toBe(90)
    await rowsIn(
      stack,
      sql`update oauth_records set expires_at = now() - interval '1 minute' where key like ${`grant:%:${grantOf(accessToken)}`}`,
    )
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('made up are refused', async () => {
    const { accessToken } = await withTokens(stack)
    const [person, grant] = accessToken.split(':')
    for (const made of [`${person}:${grant}:${'x'.repeat(32)}`, 'a:b:c', 'x'.repeat(3_000)])
      expect(await statusOf(stack, made)).toBe(401)
  })

  it('are refreshed; two refreshes at once leave both with tokens that work', { tags: ['services'] }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(200)
      expect(await statusOf(stack, body.access_token as string)).toBe(200)
    }
    const next = await refresh(answers[0]?.body.refresh_token as string)
    expect(next.status).toBe(200)
    expect(await statusOf(stack, next.body.access_token as string)).toBe(200)
  })

  it('an old refresh token used again does not affect a newer one', {
    tags: ['services'],
  }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const second = (await refresh(refreshToken)).body.refresh_token as string
    const [late, third, again] = await Promise.all([refresh(refreshToken), refresh(second), refresh(refreshToken)])
    expect([late.status, third.status, again.status]).toEqual([200, 200, 200])
    expect([late.body.refresh_token, again.body.refresh_token]).toEqual([second, second])
    expect((await refresh(refreshToken)).status).toBe(200)
    expect(await statusOf(stack, third.body.access_token as string)).toBe(200)
    const fourth = await refresh(third.body.refresh_token as string)
    expect(fourth.status).toBe(200)
    expect(await statusOf(stack, fourth.body.access_token as string)).toBe(200)
  })

  it('an old refresh token used again with another request gets no answer', async () => {
    const { refreshToken, clientId } = await withTokens(stack)
    const refresh = (fields: Record<string, string>) =>
      token(stack, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...fields })
    const first = await refresh({ scope: 'write read' })
    expect(first.status).toBe(200)
    const others: Record<string, string>[] = [
      { scope: 'read' },
      {},
      { scope: 'read write', resource: `${stack.url}/x` },
    ]
    for (const other of others) expect((await refresh(other)).body, JSON.stringify(other)).toHaveProperty('error')
    expect((await refresh({ scope: 'read write' })).body).toEqual(first.body)
    expect(await statusOf(stack, first.body.access_token as string)).toBe(200)
  })

  it('an old refresh token used again after a minute ends the grant', async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const { body } = await refresh(refreshToken)
    await ageUse(refreshToken)
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(stack, body.access_token as string)).toBe(401)
    expect((await refresh(body.refresh_token as string)).status).toBe(400)
  })

  it.each([
    ['a header', {}, { authorization: 'Bearer x' }],
    ['a secret', { client_secret: 'x' }, {}],
  ])('and so it does with %s in addition', async (_, fields, headers) => {
    const { refreshToken, refresh, clientId } = await withTokens(stack)
    const { body } = await refresh(refreshToken)
    const again = () =>
      token(
        stack,
        { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...fields },
        headers,
      )
    // Within the minute: no answer of the other's, and nothing is taken from it.
    expect(await again()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(stack, body.access_token as string)).toBe(200)
    await ageUse(refreshToken)
    expect(await again()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await statusOf(stack, body.access_token as string)).toBe(401)
    expect((await refresh(body.refresh_token as string)).status).toBe(400)
  })

  it('another client cannot use a refresh token; its own client can, even at the same time', {
    tags: ['services'],
  }, async () => {
    const { refreshToken, refresh } = await withTokens(stack)
    const { body } = await register(stack)
    const stolen = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: body.client_id as string }
    expect((await token(stack, stolen)).status).toBe(400)
    const [own, ...others] = await Promise.all([
      refresh(refreshToken),
      ...Array.from({ length: 3 }, () => token(stack, stolen)),
    ])
    expect([own.status, others.map(({ status }) => status)]).toEqual([200, [400, 400, 400]])
    expect((await token(stack, stolen)).status).toBe(400)
    expect(await statusOf(stack, own.body.access_token as string)).toBe(200)
    expect((await refresh(own.body.refresh_token as string)).status).toBe(200)
  })

  it.each([
    ['with its id', true],
    ['without', false],
  ])(
    'an application that signs its requests gets the same answer again if it signs again, %s; others do not',
    async (_, named) => {
      const { visitor: person } = await signInByMail(stack)
      const id: Record<string, string> = named ? { client_id: SIGNED } : {}
      const { redemption } = await letInBy(stack, person, SIGNED)
      const { body } = await token(stack, { ...redemption, ...(await assertionOf(stack, SIGNED)) })
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token as string, ...id }
      const first = await assertionOf(stack, SIGNED)
      const [one, two] = [
        await token(stack, { ...form, ...first }),
        await token(stack, { ...form, ...(await assertionOf(stack, SIGNED)) }),
      ]
      expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
      const [head, claims] = (first.client_assertion ?? '').split('.')
      const type = first.client_assertion_type ?? ''
      for (const proof of [
        first,
        {},
        { client_assertion_type: type },
        { ...first, client_assertion: `${head}.${claims}.x` },
      ])
        expect(await token(stack, { ...form, ...proof }), JSON.stringify(proof)).toMatchObject({ status: 400 })
      expect(await statusOf(stack, one.body.access_token as string)).toBe(200)
    },
  )

  it('are not given again for a grant that was ended', async () => {
    const { visitor: person, accessToken, refreshToken, refresh } = await withTokens(stack)
    expect((await refresh(refreshToken)).status).toBe(200)
    await sure(person, '/settings/applications/end', { grant: grantOf(accessToken) })
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('are not refreshed after an operator revoked their key, and their grant is deleted', async () => {
    const { accessToken, refreshToken, refresh } = await withTokens(stack)
    const grant = grantOf(accessToken)
    const records = () => rowsIn(stack, sql`select key from oauth_records where key like ${`grant:%:${grant}`}`)
    const [key] = await rowsIn<{ id: string }>(
      stack,
      sql`select key_id as id from oauth_grants where grant_id = ${grant}`,
    )
    expect(await records()).toHaveLength(1)
    await revokeKey(runnerOf(stack), Number(key?.id))
    expect([await statusOf(stack, accessToken), await records()]).toEqual([401, []])
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('revoking one ends the grant and the key behind it with the next call', async () => {
    const { accessToken, refreshToken, clientId } = await withTokens(stack)
    expect(await statusOf(stack, accessToken)).toBe(200)
    expect((await token(stack, { token: refreshToken, client_id: clientId })).status).toBe(200)
    expect(await statusOf(stack, accessToken)).toBe(401)
  })

  it('revoking an access token ends it with the next call, and its grant with it', async () => {
    const { accessToken, refreshToken, refresh, clientId } = await withTokens(stack)
    const later = (await refresh(refreshToken)).body
    for (const one of [accessToken, later.access_token as string]) expect(await statusOf(stack, one)).toBe(200)
    const other = (await register(stack)).body.client_id as string
    await token(stack, { token: accessToken, client_id: other })
    expect(await statusOf(stack, accessToken)).toBe(200)
    expect((await token(stack, { token: accessToken, client_id: clientId })).status).toBe(200)
    for (const one of [accessToken, later.access_token as string]) expect(await statusOf(stack, one)).toBe(401)
    expect((await refresh(later.refresh_token as string)).status).toBe(400)
  })

  it('are not in the database, nor is the key behind them', async () => {
    const { accessToken, refreshToken, email } = await withTokens(stack)
    const [row] = await rowsIn<{ text: string; keys: number }>(
      stack,
      sql`select (select string_agg(key || value, ' ') from oauth_records) as text,
        (select count(*)::int from api_keys k join accounts a on a.id = k.account_id where a.email = ${email}) as keys`,
    )
    expect(row?.keys).toBe(1)
    for (const secret of [accessToken, refreshToken, 'gly_live_']) expect(row?.text).not.toContain(secret)
  })
})
