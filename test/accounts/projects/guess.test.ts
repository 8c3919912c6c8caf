import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type GatewayBindings, gatewayApp } from '../../../functions/gateway/app.ts'
import { guessFor } from '../../../src/pages/site/guess.ts'
import { newProject, rowsIn } from '../../support/client.ts'
import { formOn, newOwner } from '../people/browser.ts'

const stack = inject('stack')
const NEW = { timezone: 'UTC', language: 'English (US)', sentFields: [] as string[] }

const guess = (zone: string | undefined, languages: string | undefined, project = NEW) =>
  guessFor(project, (name) => ({ 'cf-timezone': zone, 'accept-language': languages })[name])

const zoneOf = (site: number) => rowsIn(stack, sql`select timezone from projects where id = ${site}::int`)

describe('the guess of a new site', () => {
  it.each([
    ['Europe/Paris', 'fr-FR,fr;q=0.9,en;q=0.8', { timezone: 'Europe/Paris', language: 'French' }],
    ['America/Sao_Paulo', 'en;q=0.5, pt-BR', { timezone: 'America/Sao_Paulo', language: 'Portuguese (BR)' }],
    [undefined, 'xx,de-AT;q=0.1', { language: 'German' }],
    ['No/Where', '*', {}],
    ['UTC', 'en-US', {}],
    ["Europe/Paris' or 1", 'de;q=0', {}],
    [undefined, undefined, {}],
    ['', ',;;q=,'.repeat(1_000), {}],
  ])('by %s and %s is %j', (zone, languages, expected) => expect(guess(zone, languages)).toEqual(expected))

  it('is not made for what somebody saved or the site itself said', () => {
    const saved = { ...NEW, sentFields: ['timezone', 'language'] }
    expect(guess('Europe/Paris', 'fr', saved)).toEqual({})
    expect(guess('Europe/Paris', 'fr', { ...NEW, timezone: 'Asia/Tokyo', language: 'Dutch' })).toEqual({})
  })

  it('is shown until it is saved', async () => {
    const { api, person } = await newOwner(stack)
    const site = await newProject(api)
    const at = `/p/${site}/setup`
    const headers = { 'cf-timezone': 'Europe/Paris', 'accept-language': 'fr' }
    const page = await person.get(at, { headers })
    expect(page.text).toContain('A guess from your browser and connection.')
    expect(await zoneOf(site)).toEqual([{ timezone: 'UTC' }])
    const form = formOn(page, `${at}/business`)
    expect(form).toMatchObject({ timezone: 'Europe/Paris', language: 'French' })
    await person.post(`${at}/business`, form)
    expect(await zoneOf(site)).toEqual([{ timezone: 'Europe/Paris' }])
    expect((await person.get(at, { headers })).text).not.toContain('A guess from')
  })
})

it.each(['/p/1/setup', '/setup'])('the gateway hands the time zone of an address on to %s', async (path) => {
  const seen: (string | null)[] = []
  const PAGES = {
    fetch: async (asked: Request) => {
      seen.push(asked.headers.get('cf-timezone'))
      return new Response('')
    },
  }
  const request = Object.assign(new Request(`https://x.example${path}`), { cf: { timezone: 'Asia/Tokyo' } })
  await gatewayApp().fetch(request, { PAGES, PUBLIC_URL: 'https://x.example' } as unknown as GatewayBindings)
  expect(seen).toEqual(['Asia/Tokyo'])
})
