import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../local/migrations.ts'
import { faultsIn, isConcurrent } from '../../scripts/migrations/rules.ts'
import { withProof } from '../../scripts/migrations/write.ts'

const reasons = (...statements: string[]): string[] => faultsIn(statements).map(({ reason }) => reason)

describe('a migration is refused when it', () => {
  it.each([
    ['builds an index under a lock', 'CREATE INDEX "a_b" ON "a" USING btree ("b");', 'concurrently'],
    ['builds a unique index under a lock', 'CREATE UNIQUE INDEX "a_b" ON "a" ("b");', 'concurrently'],
    ['drops an index under a lock', 'DROP INDEX "a_b";', 'concurrently'],
    ['adds a column that must be set', 'ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', 'without a default'],
    [
      'adds a column with a value of its own for each row',
      'ALTER TABLE "a" ADD COLUMN "b" uuid DEFAULT gen_random_uuid();',
      'rewrites',
    ],
    ['changes a type', 'ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint;', 'another type'],
    ['forbids null in rows there are', 'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', 'not valid'],
    ['adds a check that reads every row', 'ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 0);', 'not valid'],
    [
      'adds a foreign key that reads every row',
      'ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d"("id");',
      'not valid',
    ],
    ['adds a unique constraint', 'ALTER TABLE "a" ADD CONSTRAINT "c" UNIQUE ("b");', 'using it'],
    ['drops a column the code before reads', 'ALTER TABLE "a" DROP COLUMN "b";', 'one release later'],
    ['renames one', 'ALTER TABLE "a" RENAME COLUMN "b" TO "c";', 'one release later'],
    ['drops a table', 'DROP TABLE "a";', 'one release later'],
    ['writes rows', 'UPDATE "a" SET b = 1;', 'in batches'],
    ['writes rows behind a query', 'WITH old AS (SELECT 1) UPDATE "a" SET b = 1;', 'in batches'],
    ['adds a primary key without a name', 'ALTER TABLE "a" ADD PRIMARY KEY ("b");', 'using it'],
    ['adds a unique column', 'ALTER TABLE "a" ADD COLUMN "b" text UNIQUE;', 'using it'],
    ['adds an exclusion', 'ALTER TABLE "a" ADD CONSTRAINT "c" EXCLUDE USING gist ("b" WITH =);', 'using it'],
    ['adds a check without a name', 'ALTER TABLE "a" ADD CHECK (b > 0);', 'not valid'],
    ['rewrites a table in another order', 'CLUSTER "a" USING "a_b";', 'locks or rewrites'],
    ['rewrites a table to shrink it', 'VACUUM FULL "a";', 'locks or rewrites'],
    ['rewrites a table elsewhere', 'ALTER TABLE "a" SET UNLOGGED;', 'locks or rewrites'],
    ['builds indexes again under a lock', 'REINDEX TABLE "a";', 'locks or rewrites'],
    ['locks a table', 'LOCK TABLE "a" IN SHARE MODE;', 'locks or rewrites'],
    ['hides what it does', "DO $$ BEGIN EXECUTE 'UPDATE a SET b = 1'; END $$;", 'write them out'],
  ])('%s', (_, statement, reason) => {
    expect(reasons(statement)).toEqual([expect.stringContaining(reason)])
  })

  it('mixes statements inside and outside of the transaction', () => {
    const index = 'CREATE INDEX CONCURRENTLY "a_b" ON "a" ("b");'
    expect(reasons(index)).toEqual([])
    expect(reasons(index, 'ALTER TABLE "a" ADD COLUMN "c" text;')).toEqual([expect.stringContaining('of its own')])
    expect([index, 'DROP INDEX CONCURRENTLY "a_b"', 'CREATE INDEX "a_b"'].map(isConcurrent)).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('a migration passes when it', () => {
  it.each([
    'ALTER TABLE "a" ADD COLUMN "b" text;',
    `ALTER TABLE "a" ADD COLUMN "b" text[] DEFAULT '{}' NOT NULL;`,
    'ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d"("id") NOT VALID;',
    'ALTER TABLE "a" VALIDATE CONSTRAINT "c";',
    'CREATE TABLE "a" ("id" integer PRIMARY KEY);',
    '-- allowed: ten rows, written by nobody\nUPDATE "plans" SET b = 1;',
  ])('is %s', (statement) => {
    expect(reasons(statement)).toEqual([])
  })

  it('changes a new table in ways that are refused for one with rows', () => {
    const table = 'CREATE TABLE "a" ("id" integer PRIMARY KEY, "b" integer);'
    const index = 'CREATE INDEX "a_b" ON "a" ("b");'
    const key = 'ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "public"."d"("id");'
    expect(reasons(table, index, key)).toEqual([])
    expect(reasons(index, key)).toHaveLength(2)
  })
})

it('a constraint that is added as not valid is validated by a later migration, and by none before it', () => {
  const open = new Map<string, string>()
  for (const { tag, statements } of readMigrations())
    for (const statement of statements) {
      const [, added] = /\badd\s+constraint\s+"(\w+)"[\s\S]*\bnot\s+valid\b/i.exec(statement) ?? []
      const [, ended] = /\b(?:validate|drop)\s+constraint\s+"(\w+)"/i.exec(statement) ?? []
      if (added !== undefined) open.set(added, tag)
      if (ended !== undefined && open.get(ended) !== tag) open.delete(ended)
    }
  // The newest migration may add one that the next release validates.
  const newest = readMigrations().at(-1)?.tag
  expect([...open].filter(([, tag]) => tag !== newest)).toEqual([])
})

describe('npm run migration', () => {
  const drop = 'ALTER TABLE "a" DROP CONSTRAINT "c";'
  const check = `ALTER TABLE "a" ADD CONSTRAINT "c" CHECK ("a"."b" in ('x', 'y;'));`
  const foreign =
    'ALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("b") REFERENCES "public"."d"("id") ON DELETE cascade;'
  const made = 'CREATE TABLE "n" ("b" integer);'
  const ofMade = 'ALTER TABLE "n" ADD CONSTRAINT "m" CHECK (b > 0);'
  const joined = (...statements: string[]) => statements.join('--> statement-breakpoint\n')

  it('writes new constraints of tables with rows so that they pass the rules, and validates each in a second migration', () => {
    const { sql, proof } = withProof(joined(drop, check, foreign, made, ofMade))
    const statements = sql.split('--> statement-breakpoint\n')
    expect(statements).toEqual([
      drop,
      check.replace(/;$/, ' NOT VALID;'),
      foreign.replace(/;$/, ' NOT VALID;'),
      made,
      ofMade,
    ])
    expect(faultsIn(statements)).toEqual([])
    expect(proof).toBe(joined('ALTER TABLE "a" VALIDATE CONSTRAINT "c";', 'ALTER TABLE "a" VALIDATE CONSTRAINT "f";'))
  })

  it('leaves a migration without such constraints as it is', () => {
    const sql = joined(made, ofMade, 'ALTER TABLE "a" ADD COLUMN "b" integer;')
    expect(withProof(sql)).toEqual({ sql, proof: '' })
  })
})
