import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleWorkers, modulesIn, WORKERS } from '../../local/bundle.ts'
import { ended, serveConfig } from '../../local/serve-config.ts'
import { cardsClient } from '../../src/cards/client.ts'
import { TITLES } from './titles.ts'

const configOf = (dir: string, folder: string): string => {
  const path = (name: string) => JSON.stringify(relative(dir, join(folder, name)))
  const files = modulesIn(folder).map(({ name, kind }) => `(name = "${name}", ${kind} = embed ${path(name)})`)
  const date = WORKERS.find((worker) => worker.folder === 'cards')?.compatibilityDate
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "cards", worker = .cards)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "cards")],
);
const cards :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed ${path('index.js')}), ${files.join(', ')}],
  compatibilityDate = "${date}",
);`
}

/** The bundle that is deployed, on workerd. */
describe('the cards Worker', () => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-cards-'))
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    writeFileSync(join(dir, 'config.capnp'), configOf(dir, join(await bundleWorkers(), 'cards')))
    const serving = await serveConfig(join(dir, 'config.capnp'), ['http'], join(dir, 'log'))
    child = serving.child
    url = `http://127.0.0.1:${serving.ports.http}`
  }, 180_000)
  afterAll(async () => {
    child.kill('SIGKILL')
    await ended(child)
    rmSync(dir, { recursive: true, force: true })
  })

  const client = (base: string) =>
    cardsClient({
      fetch: ((input: string, init: RequestInit) => fetch(input.replace('http://cards', base), init)) as never,
    })

  it.each(Object.entries(TITLES))('draws %s', async (_, input) => {
    const card = await client(url).render(input)
    if (card.kind !== 'drawn') return expect.fail(JSON.stringify(card))
    expect(card).toMatchObject({ width: 1200, height: 630 })
    expect(Buffer.from(card.png.subarray(1, 4)).toString()).toBe('PNG')
    expect(card.png.byteLength).toBeLessThan(150_000)
  })

  it('says why it draws none', async () => {
    const base = { brandColor: '#204060', siteName: '' }
    expect(await client(url).render({ ...base, title: 'ᚠᚢᚦᚨᚱᚲᚷᚹ' })).toEqual({
      kind: 'refused',
      reason: 'There is no font for the script of this title.',
    })
    expect(await client(url).render({ ...base, title: 'A', brandColor: 'red' })).toMatchObject({ kind: 'away' })
    expect(await client('http://127.0.0.1:1').render({ ...base, title: 'A' })).toMatchObject({ kind: 'away' })
  })
})
