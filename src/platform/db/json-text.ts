import { is, SQL, sql } from 'drizzle-orm'

const piecesOf = (value: unknown): (string | SQL)[] => {
  if (is(value, SQL)) return [value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [JSON.stringify(value)]
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return [
    '{',
    ...fields.flatMap(([name, one], n) => [`${n === 0 ? '' : ','}${JSON.stringify(name)}:`, ...piecesOf(one)]),
    '}',
  ]
}

/** Returns an object as JSON text in SQL. Numbers that only the statement knows are in it, or in objects within it, as expressions. */
export const jsonText = (value: Record<string, unknown>): SQL => {
  const pieces: SQL[] = []
  let text = ''
  for (const piece of piecesOf(value)) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    pieces.push(sql`${text}::text`, piece)
    text = ''
  }
  return sql`(${sql.join([...pieces, sql`${text}::text`], sql` || `)})`
}
