import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { neonRunner } from '../../../local/database.ts'
import { subjectsIn } from '../../../local/google/data.ts'
import { LOCAL_GOOGLE, type RunningGoogle, startGoogle } from '../../../local/google/server.ts'
import { addDays, lastFinalDay } from '../../../src/insights/search/rules.ts'
import { newArticle, newProject } from '../../support/client.ts'
import { newConnected, type Owner } from './google.ts'

const stack = inject('stack')
let google: RunningGoogle
let owner: Owner

/** Returns an access token of an account, as a person who allows it gets one. */
const tokenFor = async (email: string): Promise<string> => {
  const verifier = randomBytes(24).toString('base64url')
  const redirect = 'https://app.example/back'
  const allowed = await fetch(`${google.url}/o/oauth2/v2/auth`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email,
      allow: 'yes',
      search: 'yes',
      scope: 'https://www.googleapis.com/auth/webmasters.readonly',
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    }),
  })
  const answer = await fetch(`${google.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: LOCAL_GOOGLE.clientId,
      client_secret: LOCAL_GOOGLE.clientSecret,
      code: new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirect,
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Returns the queries, or the pages, of four weeks. */
const searched = async (dimension: 'query' | 'page'): Promise<string[]> => {
  const end = lastFinalDay(new Date())
  const property = encodeURIComponent(`https://www.${owner.domain}/`)
  const answer = await fetch(`${google.url}/webmasters/v3/sites/${property}/searchAnalytics/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenFor(owner.email)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ startDate: addDays(end, -27), endDate: end, dimensions: [dimension] }),
  })
  const { rows } = (await answer.json()) as { rows: { keys: string[] }[] }
  return rows.map(({ keys: [key = ''] }) => key)
}

beforeAll(async () => {
  owner = await newConnected(stack)
  google = await startGoogle({ subjectsOf: subjectsIn(neonRunner(stack.connectionString, stack.neonUrl)) })
  await fetch(`${google.url}/_accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: owner.email,
      sites: [{ siteUrl: `https://www.${owner.domain}/`, permissionLevel: 'siteOwner' }],
    }),
  })
})
afterAll(async () => {
  await google.close()
})

it("search data are made of the connected project's own keywords, those that come later too", async () => {
  const brand = owner.domain.split('.')[0] ?? ''
  expect(new Set(await searched('query'))).toEqual(new Set([brand, `${brand} reviews`]))
  const other = await newProject(owner.api, { website_url: `https://other.${owner.domain}` })
  await newArticle(owner.api, other, { keyword: 'keyword of another site' })
  await newArticle(owner.api, owner.project, { keyword: 'Road Bike Tyres' })
  await newArticle(owner.api, owner.project, { keyword: 'fahrradhelm größe' })
  const queries = await searched('query')
  expect(queries).toEqual(expect.arrayContaining(['road bike tyres', 'best road bike tyres', 'fahrradhelm größe']))
  for (const query of queries) expect(query).toMatch(new RegExp(`road bike tyres|fahrradhelm größe|${brand}`))
  expect(await searched('page')).toEqual(
    expect.arrayContaining([
      `https://www.${owner.domain}/blog/road-bike-tyres`,
      `https://www.${owner.domain}/blog/fahrradhelm-groesse`,
    ]),
  )
})
