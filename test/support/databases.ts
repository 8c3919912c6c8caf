import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Database of its own on the PostgreSQL that DATABASE_URL names. Without DATABASE_URL, tests use the embedded one. */
export type OwnDatabase = { url: string | undefined; drop: () => Promise<void> }

/** Runs a statement on the database at an address. */
export const runOn = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates an empty database for one stack, so that two stacks never sweep each other's outbox. */
export const ownDatabase = async (): Promise<OwnDatabase> => {
  const admin = process.env.DATABASE_URL
  if (!admin) return { url: undefined, drop: async () => {} }
  const name = `galley_test_${randomBytes(6).toString('hex')}`
  await runOn(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(admin, `drop database if exists ${name} with (force)`) }
}
