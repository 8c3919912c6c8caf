import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { ROOT } from '../../../../local/root.ts'
import { newOwner } from '../../../accounts/people/browser.ts'
import { newProject } from '../../../support/client.ts'

const stack = inject('stack')
const PLUGIN = '/docs/galley-wordpress.zip'

it('the plugin that is served is the one of the source; else run npm run build:wordpress -- docs/downloads/galley-wordpress.zip', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plugin-')), 'plugin.zip')
  execFileSync(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'scripts/build-wordpress.ts', file], { cwd: ROOT })
  const served = await fetch(`${stack.url}${PLUGIN}`)
  expect(served.headers.get('content-type')).toBe('application/zip')
  const bytes = Buffer.from(await served.arrayBuffer())
  expect(bytes.equals(readFileSync(file))).toBe(true)
  const names = readdirSync(join(ROOT, 'integrations/wordpress'), { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => one.includes('.'))) expect(bytes.includes(`galley/${name}`)).toBe(true)
})

it('the page that connects WordPress offers the plugin, other platforms do not', async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  const formOf = async (platform: string) =>
    (await person.get(`/settings/integrations/connect?project_id=${site}&platform=${platform}`)).text
  expect(await formOf('wordpress')).toContain(`href="${PLUGIN}"`)
  expect(await formOf('ghost')).not.toContain(PLUGIN)
})
