import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { tablesMadeIn } from './rules.ts'

const FOLDER = join(ROOT, 'schema/migrations')
const BREAK = '--> statement-breakpoint\n'

const CONSTRAINT = /^ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" (?:CHECK|FOREIGN KEY)\b.*;$/

/** Constraints of a migration that its database checks later. */
type Proved = {
  /** Migration in which each new constraint of an existing table is NOT VALID. */
  sql: string
  /** Migration that validates them; empty if there are none. */
  proof: string
}

/** Returns a migration whose new constraints lock no table with rows, and the next one, which validates them. */
export const withProof = (sql: string): Proved => {
  const statements = sql.split(BREAK)
  const made = tablesMadeIn(statements)
  const proofs: string[] = []
  const fitting = statements.map((statement) => {
    const [, table = '', constraint = ''] = CONSTRAINT.exec(statement.trim()) ?? []
    if (table === '' || made.has(table)) return statement
    proofs.push(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${constraint}";`)
    return statement.replace(/;\s*$/, (end) => ` NOT VALID${end}`)
  })
  return { sql: fitting.join(BREAK), proof: proofs.join(BREAK) }
}

/** Runs drizzle-kit and returns its exit code and the path of the new migration, if it wrote one. */
const generate = (name: string, isCustom: boolean): { code: number; path: string | undefined } => {
  const before = new Set(readdirSync(FOLDER))
  const custom = isCustom ? ['--custom'] : []
  const args = ['generate', '--config', 'config/drizzle.config.ts', '--name', name, ...custom]
  const { status } = spawnSync('drizzle-kit', args, { cwd: ROOT, stdio: 'inherit' })
  const added = readdirSync(FOLDER).find((file) => file.endsWith('.sql') && !before.has(file))
  return { code: status ?? 1, path: added && join(FOLDER, added) }
}

/**
 * Writes a migration for the changes of the schema, and one that validates its new constraints of tables with rows.
 *
 * `isCustom`: an empty migration. Returns the exit code.
 */
export const writeMigrations = (name: string, isCustom = false): number => {
  const { code, path } = generate(name, isCustom)
  if (code !== 0 || path === undefined || isCustom) return code
  const { sql, proof } = withProof(readFileSync(path, 'utf8'))
  if (proof === '') return 0
  writeFileSync(path, sql)
  const next = generate(`${name}_proved`, true)
  if (next.path !== undefined) writeFileSync(next.path, proof)
  return next.code
}
