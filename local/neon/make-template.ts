import { migrateOverNeon } from '../database.ts'
import { backendOf } from './backend-pglite.ts'
import { openDataDir, writeTemplate } from './data-dir.ts'
import { startNeon } from './server.ts'

const [from, to] = process.argv.slice(2)
if (!from || !to) throw new Error('node local/neon/make-template.ts EMPTY-TEMPLATE NEW-TEMPLATE')

const db = await openDataDir({ template: from })
const server = await startNeon({ port: 0, backend: backendOf(db) })
await migrateOverNeon('postgresql://galley:galley@db.localtest.neon/galley', server.url)
await server.close()
// Every process that opens the file would repeat changes that are only in the log.
await db.exec('checkpoint')
await writeTemplate(db, to)
await db.close()
