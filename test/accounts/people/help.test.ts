import { expect, inject, it } from 'vitest'
import { connectReceiver, newProject } from '../../support/client.ts'
import { newOwner } from './browser.ts'
import { FOR } from './role-table.ts'

const stack = inject('stack')

/** Pages whose answer is not a page of the frame: redirects, files, and answers to scripts. */
const NO_PAGE = /^\/p$|find$|\/bulk$|\.csv$|callback$|^\/oauth|^\/settings\/integrations\/connect$/

it('every page leads to help that is there, written for owners', async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  // Only a site with a receiver has the page that checks it.
  await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
  const pages = Object.keys(FOR)
    .filter((route) => route.startsWith('GET ') && !/:(?!site)/.test(route))
    .map((route) => route.slice(4))
    .filter((path) => !NO_PAGE.test(path))
  expect(pages.length).toBeGreaterThan(30)
  const led = await Promise.all(
    pages.map(async (path) => {
      const page = await person.get(path.replace(':site', String(site)))
      return [path, page.status, ...(page.text.match(/(?<=href=")[^"]*(?=">\s*Help)/g) ?? [])]
    }),
  )
  const wrong = led.filter(([, status, help]) => status !== 200 || !String(help).startsWith('/docs/owners/'))
  expect(wrong).toEqual([])
  for (const help of new Set(led.map(([, , help]) => String(help)))) {
    const [path = '', anchor] = help.split('#')
    const page = await person.get(path)
    expect([help, page.status]).toEqual([help, 200])
    if (anchor !== undefined) expect(page.text, help).toContain(`id="${anchor}"`)
  }
})
