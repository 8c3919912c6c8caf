/** @module-tag services */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrateOverNeon } from '../../local/database.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import { freePort } from '../../local/start/ports.ts'
import { type Api, clientOf, connectReceiver, newAccount, newArticle, newProject } from '../support/client.ts'
import { runScript } from '../support/command.ts'
import { type OwnDatabase, ownDatabase, runOn } from '../support/databases.ts'
import { targetOf } from '../support/stack.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const paragraph = (text: string) => `<h2>What to know</h2><p>${text}</p>`

/** Tests backup and restore on PostgreSQL with its own tools, by the steps of the page. */
describe.skipIf(!process.env.GALLEY_PG_BIN)('a database restored to an earlier moment', () => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-restore-'))
  let [before, after]: (OwnDatabase | undefined)[] = []
  let stack: Stack | undefined
  let ports = { port: 0, receiverPort: 0 }

  /** Returns the service at one address with one receiver, on the database given. */
  const serve = async (database: OwnDatabase): Promise<Stack> => {
    const started = await startStack({
      ...ports,
      dir,
      workDir: dir,
      databaseUrl: database.url,
      redisUrl: process.env.REDIS_URL,
      timeScale: 10,
    })
    await migrateOverNeon(started.connectionString, started.neon.url)
    stack = started
    return started
  }
  const page = async (url: string): Promise<string> => await (await fetch(url)).text()
  const deliveriesAt = async ({ receiver }: Stack): Promise<{ idempotency_key: string }[]> => {
    const answer = (await (await fetch(`${receiver.url}/api/deliveries`)).json()) as {
      deliveries: { idempotency_key: string }[]
    }
    return answer.deliveries
  }
  const publish = async (api: Api, id: number): Promise<string> => {
    const { status, body, text } = await api.post(`/articles/${id}/publish`)
    expect(status, text).toBe(200)
    return String(body.url)
  }
  const edit = async (api: Api, id: number, text: string): Promise<void> => {
    const { status, text: said } = await api.post(`/articles/${id}/sync`, { content: paragraph(text) })
    expect(status, said).toBe(200)
  }

  beforeAll(async () => {
    ports = { port: await freePort(), receiverPort: await freePort() }
    before = await ownDatabase()
    after = await ownDatabase()
  })
  afterAll(async () => {
    await stack?.close()
    await Promise.all([before?.drop(), after?.drop()])
    rmSync(dir, { recursive: true, force: true })
  })

  it('uses no id or delivery key twice, so a receiver accepts new content', async () => {
    const first = await serve(before as OwnDatabase)
    const api = await newAccount(targetOf(first))
    const project = await newProject(api)
    await connectReceiver(api, project, first.receiver.url, first.receiverToken)
    const kept = await newArticle(api, project, { content: paragraph('As it was at first.') })
    const keptUrl = await publish(api, kept)

    const { after: cursor } = (await api.get('/events')).body

    const bin = process.env.GALLEY_PG_BIN ?? ''
    const dump = join(dir, 'galley.dump')
    execFileSync(`${bin}/pg_dump`, ['--format=custom', '--no-owner', '--file', dump, before?.url ?? ''])

    await edit(api, kept, 'An edit that will be lost.')
    const lost = await newArticle(api, project, { content: paragraph('An article that will be lost.') })
    const lostUrl = await publish(api, lost)
    expect(await page(keptUrl)).toContain('An edit that will be lost.')
    await first.close()

    execFileSync(`${bin}/pg_restore`, ['--no-owner', '--clean', '--if-exists', '--dbname', after?.url ?? '', dump])
    // As of a server that has counted more transactions than the one that has the copy now.
    await runOn(after?.url ?? '', "update audit_log set tx = '9000000000'")
    const moved = await runScript('scripts/admin.ts', ['database', 'restored'], {
      DATABASE_URL: after?.url ?? '',
      DATABASE_URL_REPLACED: before?.url ?? '',
    })
    expect(moved).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\n\d+ sequences and the revisions of 1 articles/),
    })

    const second = await serve(after as OwnDatabase)
    const again = clientOf(second.url, api.key, api.accountId)
    expect((await again.get(`/articles/${kept}`)).text).toContain('As it was at first.')
    // The very words that were lost are a new delivery, too: the receiver has them already, and says so.
    const same = await again.post(`/articles/${kept}/sync`, { content: paragraph('An edit that will be lost.') })
    expect([same.status, same.body.message]).toEqual([502, expect.stringContaining('unchanged')])
    await edit(again, kept, 'An edit after the restore.')
    expect(await page(keptUrl)).toContain('An edit after the restore.')

    const made = await newArticle(again, project, { content: paragraph('An article after the restore.') })
    expect(made).toBeGreaterThan(lost + 1_000)
    // Another test's transaction on this server may hold the feed up.
    const news = () => again.get(`/events?after=${cursor}`)
    await expect.poll(async () => (await news()).text, { timeout: 60_000 }).toContain(`"article:${made}"`)
    expect(await page(await publish(again, made))).toContain('An article after the restore.')
    expect(await page(lostUrl)).toContain('An article that will be lost.')
    const keys = (await deliveriesAt(second)).map(({ idempotency_key: key }) => key)
    expect(keys).toHaveLength(6)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
