/** Statement that would block the running service, or break the code that runs until the Workers are replaced. */
export type Fault = { statement: string; reason: string }

type Rule = {
  pattern: RegExp
  reason: string
  /** True if the statement may be in the migration that makes the table, which has no rows to wait for. */
  newTableIsFine: boolean
}

const RULES: readonly Rule[] = [
  {
    pattern: /^create\s+(?:unique\s+)?index\s+(?!concurrently\b)/i,
    reason: 'an index blocks writes while it is built: create it concurrently, in a migration of its own',
    newTableIsFine: true,
  },
  {
    pattern: /^drop\s+index\s+(?!concurrently\b)/i,
    reason: 'dropping an index waits for every query on the table: drop it concurrently, in a migration of its own',
    newTableIsFine: false,
  },
  {
    pattern: /\badd\s+column\b(?=[\s\S]*\bnot\s+null\b)(?![\s\S]*\bdefault\b)/i,
    reason: 'a column that must be set, without a default, fails on rows there are and in the code before',
    newTableIsFine: true,
  },
  {
    pattern:
      /\badd\s+column\b[\s\S]*(?:\bgenerated\b|\bserial\b|\bdefault\s+(?:gen_random_uuid|random|clock_timestamp|nextval))/i,
    reason: 'a value of its own for each row rewrites the table under a lock: add the column empty, fill it in batches',
    newTableIsFine: true,
  },
  {
    pattern: /\balter\s+column\b[\s\S]*\btype\b/i,
    reason:
      'another type rewrites the table under a lock: add a column, fill it, read it, drop the old one in a later release',
    newTableIsFine: true,
  },
  {
    pattern: /\bset\s+not\s+null\b/i,
    reason: 'it reads the whole table under a lock: add a check constraint as not valid, and validate it',
    newTableIsFine: true,
  },
  {
    pattern: /\badd\s+(?:constraint\b[\s\S]*\b)?(?:check|foreign\s+key)\b(?![\s\S]*\bnot\s+valid\b)/i,
    reason:
      'a new constraint reads the whole table under a lock: npm run migration adds it as not valid, and validates it in the next migration',
    newTableIsFine: true,
  },
  {
    pattern:
      /\badd\s+(?:constraint\b[\s\S]*\b)?(?:unique|primary\s+key|exclude)\b(?![\s\S]*\busing\s+index\b)|\badd\s+column\b[\s\S]*\b(?:unique|primary\s+key)\b/i,
    reason: 'it builds an index under a lock: create the index concurrently, then add the constraint using it',
    newTableIsFine: true,
  },
  {
    pattern:
      /^(?:cluster|vacuum\s+(?:\(\s*)?full|lock|reindex\b(?![\s\S]*\bconcurrently\b)|refresh\s+materialized\s+view\s+(?!concurrently\b))|\bset\s+(?:logged|unlogged|tablespace|access\s+method)\b/i,
    reason: 'it locks or rewrites the whole table: find a way that works in the background',
    newTableIsFine: true,
  },
  {
    pattern: /^do\b/i,
    reason: 'the statements of a block of code are not checked: write them out',
    newTableIsFine: false,
  },
  {
    pattern: /^(?:drop\s+table|alter\s+table\b[\s\S]*\b(?:drop\s+column|rename)\b)/i,
    reason: 'the code before still uses it until the Workers are replaced: drop or rename it one release later',
    newTableIsFine: false,
  },
  {
    pattern: /^(?:update|delete\s+from|truncate)\b|^with\b[\s\S]*\b(?:update|delete\s+from)\b/i,
    reason: 'it locks every row it touches until the end: let a job change rows in batches',
    newTableIsFine: true,
  },
]

const withoutComments = (statement: string): string => statement.replace(/^\s*--.*$/gm, '').trim()

/** True if the author explains above the statement why it is harmless: `-- allowed: …`. */
const isAllowed = (statement: string): boolean => /^\s*--\s*allowed:\s*\S/im.test(statement)

const tableOf = (statement: string): string | undefined =>
  /\b(?:alter\s+table(?:\s+only)?(?:\s+if\s+exists)?|\bon|update|delete\s+from)\s+"?(?:public"?\."?)?(\w+)"?/i.exec(
    statement,
  )?.[1]

/** Returns the tables that a migration makes. */
export const tablesMadeIn = (statements: readonly string[]): Set<string> =>
  new Set(
    statements.flatMap(
      (statement) =>
        /^create\s+table\s+(?:if\s+not\s+exists\s+)?"?(?:public"?\."?)?(\w+)"?/i.exec(
          withoutComments(statement),
        )?.[1] ?? [],
    ),
  )

/** True if a statement must run outside a transaction. */
export const isConcurrent = (statement: string): boolean =>
  /^(?:create\s+(?:unique\s+)?|drop\s+)index\s+concurrently\b/i.test(withoutComments(statement))

/** Returns every statement of a migration that would block or break a running service. */
export const faultsIn = (statements: readonly string[]): Fault[] => {
  const made = tablesMadeIn(statements)
  const real = statements.filter((statement) => withoutComments(statement) !== '')
  const faults = real.flatMap((given): Fault[] => {
    const statement = withoutComments(given)
    if (isAllowed(given)) return []
    const isNew = made.has(tableOf(statement) ?? '')
    return RULES.filter(({ pattern, newTableIsFine }) => pattern.test(statement) && !(isNew && newTableIsFine)).map(
      ({ reason }) => ({ statement, reason }),
    )
  })
  const [concurrent] = real.filter(isConcurrent)
  const isMixed = concurrent !== undefined && !real.every(isConcurrent)
  return isMixed
    ? [
        ...faults,
        {
          statement: withoutComments(concurrent),
          reason: 'it runs outside the transaction: give it a migration of its own',
        },
      ]
    : faults
}
