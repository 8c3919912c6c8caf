/** @module-tag services */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { ROOT } from '../../local/root.ts'
import { type Api, connectReceiver, newArticle, newProject } from '../support/client.ts'
import { ownDatabase } from '../support/databases.ts'
import { adoptMachine, type Machine, newMachine, runServer } from './machine.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const PASSWORD = 'correct-horse-battery-staple'

describe('a backup of a service on one’s own machine', () => {
  let receiver: RunningReceiver
  let machine: Machine
  let api: Api
  let article: number
  let pictureUrl: string
  let file: string
  const backups = mkdtempSync(join(tmpdir(), 'galley-backups-'))
  const picture = readFileSync(join(ROOT, 'docs/pictures/overview.png'))
  const posts = async () => ((await (await fetch(`${receiver.url}/api/posts`)).json()) as { posts: unknown[] }).posts

  beforeAll(async () => {
    receiver = await startReceiver({ port: 0, token: 'receiver-token' })
    machine = await newMachine({ BACKUP_PASSWORD: PASSWORD })
    await machine.start()
    api = await machine.owner()
    const project = await newProject(api)
    await connectReceiver(api, project, receiver.url, 'receiver-token')
    article = await newArticle(api, project)
    await api.post(`/articles/${article}/publish`)
    pictureUrl = String((await api.post('/images', { image_base64: picture.toString('base64') })).body.url)
  })

  afterAll(async () => {
    await machine.remove()
    await receiver.close()
    rmSync(backups, { recursive: true, force: true })
  })

  it('is one file that only its user can read, and keeps as many as wanted', async () => {
    for (const _ of [1, 2]) {
      const { code, err } = await machine.run('backup', '--to', backups, '--keep', '1')
      expect({ code, err }).toEqual({ code: 0, err: '' })
    }
    const names = readdirSync(backups)
    expect(names).toHaveLength(1)
    file = join(backups, names[0] ?? '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).includes('SECRETS_KEYS')).toBe(false)
  })

  it('is refused with a wrong password, if a byte is missing, and if it is another file', async () => {
    const broken = join(backups, 'broken')
    writeFileSync(broken, readFileSync(file).subarray(0, -1))
    const other = join(backups, 'other')
    writeFileSync(other, 'no backup')
    const refusals = [
      [file, {}, 'is encrypted'],
      [file, { BACKUP_PASSWORD: 'wrong' }, 'the password is wrong'],
      [broken, { BACKUP_PASSWORD: PASSWORD }, 'the file was changed'],
      [other, {}, 'is no backup'],
      [join(backups, 'nothing'), {}, 'There is no'],
    ] as const
    for (const [given, env, reason] of refusals) {
      const folder = mkdtempSync(join(tmpdir(), 'galley-own-'))
      const { code, err } = await runServer(folder, 'restore', [given], env)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(reason) })
      expect(readdirSync(folder)).toEqual([])
      rmSync(folder, { recursive: true })
    }
  })

  it('does not restore over a service, or into a database with tables', async () => {
    const env = { BACKUP_PASSWORD: PASSWORD }
    expect((await runServer(machine.data, 'restore', [file], env)).err).toContain('exists already')
    const folder = mkdtempSync(join(tmpdir(), 'galley-own-'))
    const { code, err } = await runServer(folder, 'restore', [file, '--user', userInfo().username], env)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('not empty') })
    expect(readdirSync(folder)).toEqual([])
    expect((await api.get('/projects')).status).toBe(200)
  })

  it('brings everything back on another machine, and lets no old key in before its owner confirms it', async () => {
    await machine.remove()

    const database = await ownDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'galley-own-'))
    const restored = await runServer(folder, 'restore', [file, '--user', userInfo().username], {
      DATABASE_URL: database.url ?? '',
      BACKUP_PASSWORD: PASSWORD,
    })
    expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
    expect(restored.out).toMatch(/keys wait/)
    machine = adoptMachine(folder, database)
    await machine.start()

    const asked = async (key: string) =>
      (await fetch(`${machine.url()}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await asked(api.key)).toBe(401)
    const owner = await machine.owner()
    expect((await owner.get(`/articles/${article}`)).body).toMatchObject({ Status: 'Published' })
    const stored = await fetch(machine.url() + new URL(pictureUrl).pathname)
    expect(Buffer.from(await stored.arrayBuffer()).equals(picture)).toBe(true)
    // The connection’s token opens with the restored SECRETS_KEYS, and the receiver knows the article.
    const edited = await owner.put(`/articles/${article}`, { title: 'After the fire', sync: true })
    expect({ status: edited.status, text: edited.text }).toMatchObject({ status: 200 })
    expect(await posts()).toMatchObject([{ title: 'After the fire' }])
  })
})
