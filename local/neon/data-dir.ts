import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { requireSpace } from '../disk.ts'

/**
 * PostgreSQL's own default is 128 MB of buffers, and the embedded one keeps every page it touched. A small database
 * needs fewer.
 */
const START = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

const create = async (dir: string | undefined, dump?: Blob): Promise<PGlite> =>
  PGlite.create({
    extensions: { btree_gin, pg_trgm },
    startParams: START,
    ...(dir === undefined ? {} : { dataDir: dir }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
  })

/** File that returns its own bytes. A plain Blob copies them when it is made, and again when it is read. */
class FileBytes extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([])
    this.#bytes = bytes
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.#bytes
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  }
}

/** Writes a database into a file, renamed into place: another process starting now sees the whole file or none. */
export const writeTemplate = async (db: PGlite, template: string) => {
  const dump = await db.dumpDataDir('none')
  const unfinished = `${template}.${process.pid}`
  await mkdir(dirname(template), { recursive: true })
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, template)
}

const createFresh = async (dir: string | undefined, template: string | undefined): Promise<PGlite> => {
  if (template === undefined) return create(dir)
  const dump = await readFile(template).catch(() => undefined)
  if (dump) {
    try {
      return await create(dir, new FileBytes(dump))
    } catch {
      // The template is damaged or of another PostgreSQL version: initialise as if there were none, and replace it.
      if (dir !== undefined) await rm(dir, { recursive: true, force: true })
    }
  }
  const db = await create(dir)
  // The template only saves time. If it cannot be written, the next start works without it too.
  await writeTemplate(db, template).catch(() => {})
  return db
}

/**
 * Opens the database in `dir` (in memory if absent), and makes it first if there is none. Throws if it cannot be
 * opened, and DiskFull before it opens one on a full disk.
 *
 * `template` is a file with an initialised empty database, which makes this ten times faster. It is written if it does
 * not exist.
 */
export const openDataDir = async ({ dir, template }: { dir?: string; template?: string }): Promise<PGlite> => {
  if (dir === undefined) return createFresh(undefined, template)
  requireSpace(dir)
  // Exists while the directory is being filled. An interrupted start begins again and does not continue.
  const unfinished = `${dir}.unfinished`
  if (!existsSync(unfinished)) {
    if (existsSync(join(dir, 'PG_VERSION'))) return create(dir)
    // The folder may have someone's data, so it is not removed.
    if (existsSync(dir) && readdirSync(dir).length > 0) throw new Error('it has no PG_VERSION')
  }
  await mkdir(dirname(dir), { recursive: true })
  await writeFile(unfinished, '')
  await rm(dir, { recursive: true, force: true })
  const db = await createFresh(dir, template)
  await rm(unfinished)
  return db
}
