// Stands in place of better-sqlite3, which has to be compiled, for the server that scripts/test-bluesky.sh installs: as much of
// its interface as the server uses, over the SQLite that Node has built in (from 22.5 on).
const { DatabaseSync } = require('node:sqlite')

/** Extended result codes by the names better-sqlite3 gives them (https://www.sqlite.org/rescode.html). */
const CODES = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  261: 'SQLITE_BUSY_RECOVERY',
  517: 'SQLITE_BUSY_SNAPSHOT',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
}

const named = (work) => {
  try {
    return work()
  } catch (error) {
    if (CODES[error.errcode]) error.code = CODES[error.errcode]
    throw error
  }
}

/** Bytes come as a Buffer, as they do from better-sqlite3. */
const rowOf = (row) => {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return row
}

class Statement {
  constructor(statement) {
    this.statement = statement
    this.reader = statement.columns().length > 0
  }
  all(parameters = []) {
    return named(() => this.statement.all(...parameters).map(rowOf))
  }
  run(parameters = []) {
    return named(() => this.statement.run(...parameters))
  }
  *iterate(parameters = []) {
    for (const row of this.statement.iterate(...parameters)) yield rowOf(row)
  }
}

module.exports = class Database {
  constructor(location) {
    this.database = new DatabaseSync(location)
  }
  prepare(sql) {
    return named(() => new Statement(this.database.prepare(sql)))
  }
  pragma(text) {
    return named(() => this.database.prepare(`PRAGMA ${text}`).all())
  }
  close() {
    this.database.close()
  }
}
