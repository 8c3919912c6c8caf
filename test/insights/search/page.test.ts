import { afterEach, expect, inject, it } from 'vitest'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { ownFaults } from '../../support/faults.ts'
import { readStreamed } from '../../support/streamed-page.ts'
import { newConnected } from './google.ts'

const stack = inject('stack')
const faults = ownFaults(stack.googleUrl)
afterEach(() => faults.clear())

it('while Google is slow, the page shows the stored days first and the sums later', async () => {
  const { api, project, domain } = await newConnected(stack)
  const { person } = await signInAsOwner(stack, api)
  await faults.set({ path: domain, hold: true })
  const streamed = await readStreamed(`${stack.url}/p/${project}/search`, person.cookies)
  const first = await streamed.until('Asking Google')
  expect(first).toContain('Clicks a day')
  expect(first).not.toContain('Impressions')
  await faults.clear()
  const whole = await streamed.rest()
  expect(whole).toMatch(/Impressions.*What people search for.*<\/html>/s)
})

it('if Google does not answer, the page says so and links to another try', async () => {
  const { api, project, domain } = await newConnected(stack)
  const { person } = await signInAsOwner(stack, api)
  await faults.set({ path: domain, status: 500 })
  const { status, text } = await person.get(`/p/${project}/search?days=7`)
  expect([status, text]).toEqual([200, expect.stringMatching(/Clicks a day.*Google cannot be asked now\./s)])
  expect(text).toContain(`href="/p/${project}/search?days=7">Try again`)
})

it('the tables are ordered and limited by the address, and downloaded as the page shows them', async () => {
  const { api, project } = await newConnected(stack)
  const { person } = await signInAsOwner(stack, api)
  const at = `/p/${project}/search`
  const { text } = await person.get(`${at}?days=28&sort=position&q=zzz-no-such-query`)
  expect(text).toContain('None of them matches. Show all')
  const csv = await person.get(`${at}/queries.csv?days=28&sort=position`)
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="queries-28-days.csv"')
  const lines = csv.text.trim().split('\r\n')
  expect(lines[0]).toBe('query,clicks,change,impressions,position')
  const positions = lines.slice(1).map((line) => Number(line.split(',').at(-1)))
  expect(positions.length).toBeGreaterThan(1)
  expect(positions).toEqual([...positions].sort((one, other) => one - other))
  const none = await person.get(`${at}/pages.csv?days=28&q=zzz-no-such-page`)
  expect(none.text).toBe('page,clicks,change,impressions,position\r\n')
})
