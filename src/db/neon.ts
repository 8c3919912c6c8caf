import type { NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { NeonHttpSession } from 'drizzle-orm/neon-http/session'
import { PgDatabase, PgDialect } from 'drizzle-orm/pg-core'
import { decodeRows, type Field, type Rows } from './values-in.ts'
import { encodeParameter } from './values-out.ts'

/** What PostgreSQL said was wrong; without a code, the database could not be reached or did not serve. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault'
  /** SQLSTATE. */
  readonly code: string | undefined
  readonly constraint: string | undefined

  constructor(message: string, { code, constraint, cause }: { code?: string; constraint?: string; cause?: unknown }) {
    super(message, { cause })
    this.code = code
    this.constraint = constraint
  }
}

/** Sends a request, within the time a statement may take. */
type Send = (url: string, init: RequestInit) => Promise<Response>

type Shape = { arrayMode?: boolean }
type Statement = { query: string; params: string[] }
type Result = { fields: Field[]; rows: (string | null)[][]; command: string; rowCount: number | null }
type Decoded = Omit<Result, 'rows'> & { rows: Rows }
/** A statement that is sent when it is awaited, or with others in one transaction. */
type Pending = PromiseLike<Decoded> & { statement: Statement; shape: Shape }

/** What drizzle's session of Neon's HTTP interface asks of its client. */
type Client = {
  query: (query: string, params: unknown[], shape: Shape) => Pending
  transaction: (pending: readonly Pending[]) => Promise<Decoded[]>
}

const decode = (result: Result, { arrayMode = false }: Shape): Decoded => ({
  ...result,
  rows: decodeRows(result.fields, result.rows, arrayMode),
})

/** Where Neon takes statements for a host: `ep-x.eu-central-1.aws.neon.tech` is asked at `api.eu-central-1.aws.neon.tech`. */
const endpointOf = (databaseUrl: string): string => {
  const { hostname } = new URL(databaseUrl.replace(/^postgres(ql)?:/, 'http:'))
  return `https://${hostname.replace(/^[^.]+\./, 'api.')}/sql`
}

const isAddress = (databaseUrl: string): boolean =>
  /^postgres(ql)?:$/.test(URL.canParse(databaseUrl) ? new URL(databaseUrl).protocol : '')

const faultIn = async (response: Response): Promise<DatabaseFault> => {
  const text = await response.text()
  if (response.status !== 400) return new DatabaseFault(`Server error (HTTP status ${response.status}): ${text}`, {})
  try {
    const { message, code, constraint } = JSON.parse(text) as { message?: string; code?: string; constraint?: string }
    return new DatabaseFault(message ?? text, {
      ...(code ? { code } : {}),
      ...(constraint ? { constraint } : {}),
    })
  } catch (cause) {
    return new DatabaseFault(`Server error (HTTP status 400): ${text}`, { cause })
  }
}

const createClient = (databaseUrl: string, endpoint: string, send: Send): Client => {
  const ask = async (body: object): Promise<unknown> => {
    try {
      const response = await send(endpoint, {
        method: 'POST',
        headers: {
          'Neon-Connection-String': databaseUrl,
          'Neon-Raw-Text-Output': 'true',
          'Neon-Array-Mode': 'true',
        },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw await faultIn(response)
      return await response.json()
    } catch (error) {
      if (error instanceof DatabaseFault) throw error
      throw new DatabaseFault(`Error connecting to database: ${error}`, { cause: error })
    }
  }
  return {
    query: (query, params, shape) => {
      const statement = { query, params: params.map(encodeParameter) as string[] }
      const run = async () => decode((await ask(statement)) as Result, shape)
      // biome-ignore lint/suspicious/noThenProperty: drizzle awaits it, or puts it into a transaction instead.
      return { statement, shape, then: (done, failed) => run().then(done, failed) }
    },
    transaction: async (pending) => {
      const { results } = (await ask({ queries: pending.map(({ statement }) => statement) })) as { results?: Result[] }
      if (!Array.isArray(results)) throw new DatabaseFault('The database answered in another form.', {})
      return results.map((result, n) => decode(result, pending[n]?.shape ?? {}))
    },
  }
}

/**
 * A drizzle database over Neon's SQL over HTTP: every statement is one request, a batch is one request and one transaction.
 * `endpoint` replaces the address that the database's host leads to. Neon's own driver speaks the same, but brings
 * node-postgres with its sockets along: 45 KiB (gzipped) for each Worker, of which none is ever used.
 */
export const openNeon = (
  databaseUrl: string,
  { endpoint, send }: { endpoint?: string | undefined; send: Send },
): NeonHttpDatabase<Record<string, never>> => {
  if (!isAddress(databaseUrl)) throw new DatabaseFault('The database’s address is not one of postgresql://…', {})
  const client = createClient(databaseUrl, endpoint ?? endpointOf(databaseUrl), send)
  const dialect = new PgDialect()
  const session = new NeonHttpSession(client as never, dialect, undefined)
  const db = new PgDatabase(dialect, session, undefined)
  return Object.assign(db, { batch: session.batch.bind(session), $client: client }) as never
}
