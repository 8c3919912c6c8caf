import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { StackAccess } from '../../publishing/scene.ts'
import { rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { type Summary, scan, start, trackedProject, viewOf } from './scene.ts'

/** Tests scans of prompts that the service made of a project's settings. */
export const scansOfOwnPrompts = (access: StackAccess): void => {
  describe('prompts the service makes itself', () => {
    it('come from the business context, at most ten, and never name the business', async () => {
      const tracked = await trackedProject(access, [], {
        business_name: 'Timberline',
        business_description: 'Timberline builds garden sheds, log cabins and wooden bike stores for small gardens.',
        target_audience: ['home owners'],
      })
      await scan(tracked)
      const { prompts } = await viewOf<{ prompts: { prompt: string; source: string }[] }>(
        tracked,
        'prompts',
        '&per_page=50',
      )
      expect(prompts.length).toBeGreaterThan(5)
      expect(prompts.length).toBeLessThanOrEqual(10)
      expect(prompts.every(({ source }) => source === 'auto')).toBe(true)
      const text = prompts.map(({ prompt }) => prompt).join('\n')
      expect(text).not.toMatch(/timberline/i)
      expect(text).toMatch(/garden sheds/)
      expect(text).toContain(`alternatives to ${tracked.rivals[0]}`)
    })

    it('stay removed, and leave room for the caller’s own', async () => {
      const tracked = await trackedProject(
        access,
        Array.from({ length: 20 }, (_, n) => `Own question number ${n}?`),
        { business_description: 'Garden sheds, log cabins and wooden bike stores for small gardens.' },
      )
      await scan(tracked)
      const before = await viewOf<{ prompts: { prompt: string; source: string }[]; total: number }>(
        tracked,
        'prompts',
        '&per_page=50',
      )
      expect(before.total).toBe(25)
      const auto = before.prompts.find(({ source }) => source === 'auto')?.prompt ?? ''
      await tracked.api.call('DELETE', '/ai-visibility/prompts', { body: { project_id: tracked.id, prompt: auto } })
      await scan(tracked)
      const after = await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts', '&per_page=50')
      expect(after.prompts.map(({ prompt }) => prompt)).not.toContain(auto)
    })

    it('cannot be made without context: no scan starts then', async () => {
      const tracked = await trackedProject(access, [], { competitors: [], business_name: '' })
      await rowsIn(
        access,
        sql`update projects set business_description = '', topics = '', content_pillars = '{}' where id = ${tracked.id}::int`,
      )
      expectError(await start(tracked), 'no_prompts')
      expect(await viewOf<Summary>(tracked)).toMatchObject({ manual_scans_used: 0, can_scan: false })
    })

    it('that were all removed start no scan either', async () => {
      const tracked = await trackedProject(access, [], { competitors: ['rival.example'] })
      await rowsIn(
        access,
        sql`update projects set business_description = '', topics = '', content_pillars = '{}' where id = ${tracked.id}::int`,
      )
      expect((await viewOf<Summary>(tracked)).can_scan).toBe(true)
      await scan(tracked)
      const { prompts } = await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts')
      expect(prompts).toHaveLength(1)
      const body = { project_id: tracked.id, prompt: prompts[0]?.prompt }
      await tracked.api.call('DELETE', '/ai-visibility/prompts', { body })
      expect((await viewOf<Summary>(tracked)).can_scan).toBe(false)
      expectError(await start(tracked), 'no_prompts')
    })

    it('are filled up with those that are new: of the competitors named later, too', async () => {
      const tracked = await trackedProject(access, [], { competitors: [] })
      const set = (columns: SQL) => rowsIn(access, sql`update projects set ${columns} where id = ${tracked.id}::int`)
      await set(sql`business_description = '', topics = 'sheds', content_pillars = '{}'`)
      await scan(tracked)
      const asked = async () =>
        (await viewOf<{ prompts: { prompt: string }[] }>(tracked, 'prompts', '&per_page=50')).prompts
      const before = await asked()
      expect(before.length).toBeLessThan(6)
      await set(sql`topics = E'sheds\\nlog cabins', competitor_websites = '{rival.example}'`)
      await scan(tracked)
      const prompts = await asked()
      expect(prompts).toHaveLength(before.length * 2 + 1)
      expect(prompts.at(-1)?.prompt).toContain('alternatives to rival.example')
    })
  })
}
