import { errorFields, type Field, type Row, SqlError, type StatementResult } from './backend.ts'
import { RequestError, type RowFormat, type SqlRequest } from './request.ts'
import { toJson } from './text-values.ts'

export type Answer = { status: number; text: string }

const rowJson = (row: Row, fields: readonly Field[], { asArray, rawText }: RowFormat): unknown => {
  const values = rawText ? row : row.map((text, i) => toJson(text, fields[i]?.dataTypeID ?? 0))
  return asArray ? values : Object.fromEntries(values.map((value, i) => [fields[i]?.name, value]))
}

/** The count of a command tag: "INSERT 0 2" has it third, "UPDATE 2" second, "CREATE TABLE" has none. */
const rowCount = (tag: string): number | null => {
  const words = tag.split(' ')
  const count = words[0] === 'INSERT' ? words[2] : words[1]
  return count !== undefined && /^\d+$/.test(count) ? Number(count) : null
}

const resultJson = ({ fields, rows, tag }: StatementResult, format: RowFormat) => ({
  fields,
  rows: format.asArray && format.rawText ? rows : rows.map((row) => rowJson(row, fields, format)),
  command: tag.split(' ', 1)[0],
  rowCount: rowCount(tag),
  rowAsArray: format.asArray,
})

const defaultFormat: RowFormat = { asArray: false, rawText: false }

/** The answer to a request whose statements all succeeded. */
export const answerResults = ({ formats, batch }: SqlRequest, results: readonly StatementResult[]): Answer => {
  const written = results.map((result, i) => resultJson(result, formats[i] ?? defaultFormat))
  return { status: 200, text: JSON.stringify(batch ? { results: written } : written[0]) }
}

/** 400 for what the client or its SQL did wrong, with every field of the database's error; 500 for the rest. */
export const answerError = (error: unknown): Answer => {
  if (error instanceof SqlError) {
    const fields = errorFields.map((field) => [field, error.fields[field] ?? null])
    return { status: 400, text: JSON.stringify({ message: error.message, ...Object.fromEntries(fields) }) }
  }
  if (error instanceof RequestError) return { status: 400, text: JSON.stringify({ message: error.message }) }
  // A refused connection to a host with two addresses has an empty message and only a code.
  const { message, code } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: '' }
  return { status: 500, text: JSON.stringify({ message: message || code || 'internal error' }) }
}
