import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/bundle.ts'

const HOOK = pathToFileURL(join(ROOT, 'scripts/quick-modules.mjs')).href

/** What a program prints that Node runs with the hook, or without it. */
const printed = (program: string, withHook: boolean): string => {
  const flags = withHook ? [`--import=${HOOK}`] : []
  const { NODE_OPTIONS: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
    env,
  })
  expect(status, stderr).toBe(0)
  return stdout
}

const { exports } = JSON.parse(readFileSync(join(ROOT, 'node_modules/drizzle-orm/package.json'), 'utf8')) as {
  exports: Record<string, unknown>
}

const RESOLVES = `
for (const name of ${JSON.stringify(Object.keys(exports))}) console.log(import.meta.resolve('drizzle-orm' + name.slice(1)))
for (const name of ['drizzle-orm/no-such-part', 'drizzle-orm-of-others', './no-such-file.mjs'])
  console.log(await import(name).then(() => 'there', ({ code }) => code))
const { createRequire } = await import('node:module')
console.log(createRequire(process.cwd() + '/').resolve('drizzle-orm'), createRequire(process.cwd() + '/')('drizzle-orm').sql.name)
const [{ sql }, core] = [await import('drizzle-orm'), await import('drizzle-orm/pg-core')]
console.log(Object.keys(core).length, core.PgDialect.name, new core.PgDialect().sqlToQuery(sql\`select \${1}\`).sql)`

it('names of the package whose exports are read once lead where Node itself finds them', () => {
  const own = printed(RESOLVES, false)
  expect(own.split('\n').length).toBeGreaterThan(100)
  expect(printed(RESOLVES, true)).toBe(own)
})

it('a command that loads it takes a fraction of the memory', () => {
  const loads = `
const before = process.memoryUsage().rss
for (const name of ['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/neon-http']) await import(name)
console.log(process.memoryUsage().rss - before)`
  const [own, quick] = [Number(printed(loads, false)), Number(printed(loads, true))]
  expect(quick).toBeLessThan(own / 3)
})
