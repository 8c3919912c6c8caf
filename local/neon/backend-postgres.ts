import { type Connection, Pool, type PoolClient } from 'pg'
import {
  type Backend,
  copyRefused,
  createCollector,
  leavesSessionState,
  type RawField,
  type Row,
  SqlError,
  type StatementResult,
  toFailure,
  type Work,
} from './backend.ts'
import {
  createPreparedStatements,
  encodeSequence,
  isStale,
  type PreparedStatements,
  plainStep,
  type Step,
} from './prepared-statements.ts'

const MAX_CONNECTIONS = 16

/** Sends one message sequence on a connection. Rejects with SqlError, or with the connection's failure. */
const exchange = (client: PoolClient, bytes: Buffer): Promise<StatementResult[]> =>
  new Promise((resolve, reject) => {
    const { results, rowDescription, dataRow, complete } = createCollector()
    client.query({
      submit: (connection: Connection) => {
        connection.stream.write(bytes)
      },
      handleRowDescription: ({ fields }: { fields: RawField[] }) => rowDescription(fields),
      handleDataRow: ({ fields }: { fields: Row }) => dataRow(fields),
      handleCommandComplete: ({ text }: { text: string }) => complete(text),
      handleEmptyQuery: () => complete(''),
      handleReadyForQuery: () => resolve(results),
      handleError: (error: Error) => reject(toFailure(error)),
      handlePortalSuspended: () => undefined,
      handleCopyData: () => undefined,
      handleCopyInResponse: (connection: Connection) => {
        // The server now reads everything as rows, Sync included: this connection cannot be used again.
        reject(copyRefused())
        connection.stream.destroy()
      },
    })
  })

const command = (client: PoolClient, sql: string) => exchange(client, encodeSequence([plainStep(sql)]))

const attempt = async (
  client: PoolClient,
  { statements, begin }: Work,
  prepared: PreparedStatements,
  toStep: PreparedStatements['step'],
): Promise<StatementResult[]> => {
  const steps: Step[] = statements.map(toStep)
  const sequence = begin ? [plainStep(begin), ...steps, plainStep('COMMIT')] : steps
  try {
    const results = await exchange(client, encodeSequence(sequence, prepared.closing()))
    prepared.succeeded()
    return begin ? results.slice(1, -1) : results
  } catch (error) {
    prepared.failed()
    if (begin && error instanceof SqlError) {
      await command(client, 'ROLLBACK').catch(() => client.connection.stream.destroy())
    }
    throw error
  }
}

const perform = async (client: PoolClient, work: Work, prepared: PreparedStatements): Promise<StatementResult[]> => {
  const results = await attempt(client, work, prepared, prepared.step).catch((error: unknown) => {
    if (!isStale(error)) throw error
    prepared.forgetAll()
    return attempt(client, work, prepared, ({ query, params }) => plainStep(query, params))
  })
  // A client sent BEGIN alone. The next request on this connection must not be in that transaction.
  if (client.getTransactionStatus() !== 'I') await command(client, 'ROLLBACK')
  if (leavesSessionState(results)) {
    await command(client, 'DISCARD ALL')
    prepared.dropped()
  }
  return results
}

/**
 * Runs SQL on the PostgreSQL at `databaseUrl`, and connects when needed. While the server is away, each run rejects
 * with a plain Error.
 */
export const openPostgres = (databaseUrl: string): Backend => {
  const pool = new Pool({ connectionString: databaseUrl, max: MAX_CONNECTIONS, idleTimeoutMillis: 0 })
  const preparedOf = new WeakMap<PoolClient, PreparedStatements>()
  // Without listeners a lost connection would end the process: idle ones report on the pool, busy ones on the client.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    preparedOf.set(client, createPreparedStatements())
    client.on('error', () => undefined)
  })
  const run = async (work: Work): Promise<StatementResult[]> => {
    const client = await pool.connect()
    try {
      const results = await perform(client, work, preparedOf.get(client) ?? createPreparedStatements())
      client.release()
      return results
    } catch (error) {
      client.release(!(error instanceof SqlError) || client.connection.stream.destroyed)
      throw error
    }
  }
  return { kind: 'postgres', run, close: () => pool.end() }
}
