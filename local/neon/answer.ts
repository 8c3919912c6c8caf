import { type Answer, BodyTooLarge, json } from '../receiver/answers.ts'
import { errorFields, SqlError, type StatementResult } from './backend.ts'
import { RequestError, type SqlRequest } from './request.ts'

/** Returns a refusal in Neon's form. */
export const refusal = (status: number, message: string): Answer => json(status, { message })

/** Returns the count of a command tag: "INSERT 0 2" has it third, "UPDATE 2" second, "CREATE TABLE" has none. */
const rowCount = (tag: string): number | null => {
  const words = tag.split(' ')
  const count = words[0] === 'INSERT' ? words[2] : words[1]
  return count !== undefined && /^\d+$/.test(count) ? Number(count) : null
}

const resultJson = ({ fields, rows, tag }: StatementResult) => ({
  fields,
  rows,
  command: tag.split(' ', 1)[0],
  rowCount: rowCount(tag),
  rowAsArray: true,
})

/** Returns the answer to a request whose statements all succeeded. */
export const answerResults = ({ batch }: SqlRequest, results: readonly StatementResult[]): Answer => {
  const written = results.map(resultJson)
  return json(200, batch ? { results: written } : written[0])
}

/**
 * Returns Neon's answer if its connection to the database broke: 400 with the fields of the database's last words. Without
 * such words, code and severity are empty (neondatabase/neon, proxy/src/serverless/sql_over_http.rs).
 */
const lost = (error: unknown, message: string): Answer => {
  const { severity } = error as { severity?: unknown }
  const told = (severity === undefined ? { code: '', severity: '' } : error) as Record<string, unknown>
  return json(400, { message, ...Object.fromEntries(errorFields.map((field) => [field, told[field] ?? null])) })
}

/** Returns 400 for errors of the client, its SQL or a lost connection, with every field of the database's error; 500 if it is not there. */
export const answerError = (error: unknown): Answer => {
  if (error instanceof SqlError) {
    const fields = errorFields.map((field) => [field, error.fields[field] ?? null])
    return json(400, { message: error.message, ...Object.fromEntries(fields) })
  }
  if (error instanceof RequestError) return refusal(400, error.message)
  if (error instanceof SyntaxError) return refusal(400, 'the body is not JSON')
  if (error instanceof BodyTooLarge) return refusal(413, error.message)
  // A refused connection to a host with two addresses has an empty message and only a code.
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  return code === 'ECONNREFUSED' ? refusal(500, message || code) : lost(error, message)
}
