import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { endAll, newProject, projectsOf, refusal, start, stop, TIMEOUT_MS } from '../scripts/service.ts'

const disk = mkdtempSync(join(tmpdir(), 'galley-full-'))

/** True if this user may mount a small disk. */
const isMounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

afterEach(endAll)
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

const filler = join(disk, 'filler')
const fill = () => {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
}

it.skipIf(!isMounted)(
  'on a really full disk the service reads, is not ready, loses nothing, and continues when there is space',
  async () => {
    const dir = join(disk, 'data')
    const service = await start(dir, '--port', '0')
    const { base_url: base, api_key: key, public_url: url } = service.service
    const create = (name: string) =>
      fetch(`${base}/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ website_url: `https://${name}.example` }),
      })
    const ready = async () => (await fetch(`${url}/readyz`)).status
    await newProject(service)
    fill()
    const refused = await create('full')
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('no free space')])
    expect(await projectsOf(service)).toHaveLength(1)
    await expect.poll(ready).toBe(503)
    await expect.poll(() => service.said(), { timeout: 20_000 }).toContain(`The disk at ${disk} is full: 0 bytes`)
    rmSync(filler)
    await expect.poll(ready).toBe(200)
    expect((await create('again')).status).toBe(201)

    fill()
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
    const said = await refusal(dir, '--port', '0')
    expect(said).toContain(`The disk at ${disk} is full: 0 bytes`)
    expect(said).toContain('Its data is safe')
    expect(said).not.toMatch(/--fresh|damage/)
    rmSync(filler)
    const after = await start(dir, '--port', '0')
    expect(await projectsOf(after)).toHaveLength(2)
    await stop(after)
  },
  TIMEOUT_MS,
)
