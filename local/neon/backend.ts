/** One SQL statement; parameters are in PostgreSQL's text form and untyped, so the server infers their types. */
export type Statement = { query: string; params: readonly (string | null)[] }

/** One request: a single statement, or with `begin` (the BEGIN command to use) all of them in one transaction. */
export type Work = { statements: readonly Statement[]; begin?: string }

type Field = {
  name: string
  tableID: number
  columnID: number
  dataTypeID: number
  dataTypeSize: number
  dataTypeModifier: number
  format: 'text'
}

/** Values of a row in PostgreSQL's text form; null for NULL. */
export type Row = (string | null)[]

/** Result of one statement; `tag` is the command tag ("INSERT 0 2"), empty for an empty query. */
export type StatementResult = { fields: readonly Field[]; rows: Row[]; tag: string }

/** Database behind Neon's HTTP endpoint. */
export type Backend = {
  kind: 'pglite' | 'postgres'
  /**
   * Returns one result per statement, in order. Throws SqlError if the database refused, another error if it failed.
   */
  run: (work: Work) => Promise<StatementResult[]>
  close: () => Promise<void>
}

/** Fields of a database error, named as in Neon's answers. */
export const errorFields = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const

type ErrorFields = { [field in (typeof errorFields)[number]]?: string | undefined }

/** A refusal by the database, with the fields of its ErrorResponse message. */
export class SqlError extends Error {
  readonly fields: ErrorFields

  constructor(message: string, fields: ErrorFields) {
    super(message)
    this.name = 'SqlError'
    this.fields = fields
  }
}

/** Returns an ErrorResponse as SqlError; FATAL ones, which end the session, are failures of the server and become a plain Error. */
export const toFailure = (response: Error & ErrorFields): Error => {
  if (!response.code || response.severity === 'FATAL' || response.severity === 'PANIC') return response
  return new SqlError(response.message, Object.fromEntries(errorFields.map((field) => [field, response[field]])))
}

/**
 * Returns the refusal of COPY: from the client it needs a stream, which a request cannot give. A hosted database runs
 * no programs.
 */
export const copyRefused = (): SqlError =>
  new SqlError('COPY with STDIN or PROGRAM is not supported over HTTP', { severity: 'ERROR', code: '0A000' })

const sessionCommands = new Set([
  'SET',
  'RESET',
  'LISTEN',
  'PREPARE',
  'DEALLOCATE',
  'DECLARE',
  'DISCARD',
  'CREATE',
  'DO',
])

/** True if a statement may have left settings, temporary tables or listeners in the session. DISCARD ALL removes them. */
export const leavesSessionState = (results: readonly StatementResult[]): boolean =>
  results.some(({ tag }) => sessionCommands.has(tag.split(' ', 1)[0] ?? ''))

/** Describe's answer as both clients' parsers give it; one writes the text format as 0, the other as 'text'. */
export type RawField = Omit<Field, 'format'>

type Collector = {
  results: StatementResult[]
  rowDescription: (fields: readonly RawField[]) => void
  dataRow: (row: Row) => void
  /** Ends a statement; an empty query has the tag ''. */
  complete: (tag: string) => void
}

/** Gathers the backend messages of a sequence into one result per statement. */
export const createCollector = (): Collector => {
  const results: StatementResult[] = []
  let fields: readonly Field[] = []
  let rows: Row[] = []
  return {
    results,
    rowDescription: (raw) => {
      fields = raw.map(({ name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier }) => ({
        name,
        tableID,
        columnID,
        dataTypeID,
        dataTypeSize,
        dataTypeModifier,
        format: 'text',
      }))
    },
    dataRow: (row) => {
      rows.push(row)
    },
    complete: (tag) => {
      results.push({ fields, rows, tag })
      fields = []
      rows = []
    },
  }
}
