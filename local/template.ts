import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations } from './migrations.ts'
import { ROOT } from './root.ts'

const VERSION = 'pglite-0.5.16'

const inCache = (name: string): string => {
  const folder = join(ROOT, '.galley/cache')
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

/** Returns the file with an embedded database that is empty; the first start writes it. */
export const emptyTemplate = (): string => inCache(`${VERSION}.tar`)

const schemaFile = (): string => {
  const hash = createHash('sha256')
  for (const migration of readMigrations()) hash.update(migration.hash)
  return inCache(`${VERSION}-schema-${hash.digest('hex').slice(0, 16)}.tar`)
}

/**
 * Returns the file with an embedded database that has all current migrations and no rows; undefined if it was not made.
 */
export const schemaTemplate = (): string | undefined => {
  const file = schemaFile()
  return existsSync(file) ? file : undefined
}

/** Makes that file, so that many stacks need not migrate one by one. Removes the files of other migrations. */
export const makeSchemaTemplate = async (): Promise<void> => {
  const file = schemaFile()
  if (existsSync(file)) return
  const script = join(ROOT, 'local/neon/make-template.ts')
  const child = spawn(process.execPath, [script, emptyTemplate(), file], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`making ${file} ended with ${code}`)
  const isOlder = (name: string) => name.startsWith(`${VERSION}-schema-`) && name.endsWith('.tar')
  for (const name of readdirSync(inCache('')))
    if (isOlder(name) && inCache(name) !== file) rmSync(inCache(name), { force: true })
}
