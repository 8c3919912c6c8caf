import { expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { type Cloudflare, CloudflareError } from '../../scripts/deploy/cloudflare.ts'
import { retiredIn, retiredText } from '../../scripts/deploy/retired.ts'

/** Returns Cloudflare's API of an account with these Workers. */
const accountWith =
  (...scripts: string[]): Cloudflare =>
  async (_, path) => {
    const [, name = ''] = /\/scripts\/([^/]+)\//.exec(path) ?? []
    if (!scripts.includes(name)) throw new CloudflareError(404, 10007, 'This Worker does not exist.')
    return (path.endsWith('/deployments') ? { deployments: [] } : { items: [] }) as never
  }

it('names the Workers of earlier releases that an environment still has, callers first', async () => {
  const cf = accountWith('galley-signin', 'galley-control', 'galley-social-staging', 'galley-pages', 'galley-of-mine')
  expect(await retiredIn(cf, 'account', 'production')).toEqual(['galley-control', 'galley-signin'])
  expect(await retiredIn(cf, 'account', 'staging')).toEqual(['galley-social-staging'])
})

it('says in the plan that they serve a rollback, and nothing if there are none', () => {
  expect(retiredText([])).toEqual([])
  expect(retiredText(['galley-control', 'galley-signin'])).toEqual([
    expect.stringMatching(/^Unused {6}galley-control, galley-signin: .*kept for a rollback.*wrangler delete/),
  ])
})

it('names no Worker of this release', async () => {
  const all = accountWith(...WORKERS.map(({ script }) => script))
  expect(await retiredIn(all, 'account', 'production')).toEqual([])
})
