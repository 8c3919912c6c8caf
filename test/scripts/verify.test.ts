import { describe, expect, it } from 'vitest'
import { migrationFault } from '../../scripts/verify/apply-migrations.ts'
import { runScript } from '../support/command.ts'

const migration = (tag: string, ...statements: string[]) => ({ tag, when: 1, hash: tag, statements })

describe('npm run verify', () => {
  it('names the migration, the statement and the position of a fault', async () => {
    const fault = await migrationFault([
      migration('0000_init', 'create table notes (id int)'),
      migration('0001_colour', 'alter table notes add column colour text', 'alter table notes ad column size int'),
    ])
    expect(fault).toMatch(/^0001_colour, statement 2, character 19: syntax error at or near "ad"\n {2}.*ad column size/)
  })

  it('applies an index that is built concurrently', async () => {
    const fault = await migrationFault([
      migration('0000_init', 'create table notes (id int)'),
      migration('0001_index', 'create index concurrently notes_id on notes (id)'),
    ])
    expect(fault).toBe('')
  })

  it('runs the named checks only', async () => {
    const ended = await runScript('scripts/verify.ts', ['--only', 'packages are used'])
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(/^ok {4}packages are used[^\n]*\n1 of 1 checks passed/)
  })

  it('lists the checks for a word that none has', async () => {
    const ended = await runScript('scripts/verify.ts', ['--only', 'spelling'])
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toMatch(/No check has spelling in its name[\s\S]*migrations match the schema/)
  })
})
