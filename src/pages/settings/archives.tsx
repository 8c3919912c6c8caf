import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { exportProjectAs, listProjectExports, readArchive } from '../../content/archive/export.ts'
import { importProject, listImports } from '../../content/archive/import.ts'
import { archiveIntake, MAX_ARCHIVE_BYTES } from '../../content/archive/intake.ts'
import type { TakenArchive } from '../../content/archive/operations.ts'
import { createRoom } from '../../platform/http/room.ts'
import { bodyStream } from '../../platform/http/route.ts'
import { boundaryOf, readUploadBody } from '../../platform/http/upload-body.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { Upload } from '../../platform/lib/file-fields.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Empty, Moment, Table } from '../parts.tsx'
import { PlaceCost } from '../site/cost.tsx'

const STATES = { making: 'is being made', ready: 'ready', failed: 'could not be made' } as const
const IMPORTED = { importing: 'is being read', completed: 'done', failed: 'failed' } as const

type Sites = readonly { id: number; name: string; url: string }[]

const Archives = ({ rows, sites }: { rows: Awaited<ReturnType<typeof listProjectExports>>; sites: Sites }) => (
  <Table
    caption="Archives, newest first; each is kept for seven days"
    heads={['Site', 'Asked for', 'State', '']}
    rows={rows.map((one) => [
      sites.find(({ id }) => id === one.projectId)?.url ?? `archived site ${one.projectId}`,
      <Moment at={one.createdAt} />,
      STATES[one.state],
      one.state === 'ready' ? <a href={`${PATHS.archives}/${one.id}`}>Download</a> : '',
    ])}
  />
)

const Imports = ({ rows }: { rows: Awaited<ReturnType<typeof listImports>> }) => (
  <Table
    caption="Imports, newest first"
    heads={['Began', 'State', '']}
    rows={rows.map((one) => [
      <Moment at={one.createdAt} />,
      IMPORTED[one.state],
      one.state === 'importing' ? `${one.partsRead} of ${one.parts} pieces` : (one.error ?? one.note ?? ''),
    ])}
  />
)

const page = async (
  c: PagesContext,
  front: Front,
  notice?: Notice,
  status: 200 | 400 | 403 | 404 | 409 | 413 = 200,
) => {
  const { accountId, role } = c.get('person')
  const isOwner = role === 'owner'
  const [sites, archives, imports] = await Promise.all([
    c.get('sites'),
    isOwner ? listProjectExports(front.deps, accountId) : [],
    listImports(front.deps, accountId),
  ])
  return await show(c, front, {
    title: 'Export and import of sites',
    menu: true,
    status,
    notice,
    body: (
      <>
        <h2>Export a site</h2>
        <p>
          An archive has the settings, articles with their versions, pictures and deliveries of one site. Secrets are
          left out. <a href="/docs/http/archives">What is in it</a>
        </p>
        {!isOwner && <p>Only owners may export.</p>}
        {isOwner && sites.length === 0 && <Empty>There is no active site.</Empty>}
        {isOwner && sites.length > 0 && (
          <Table
            caption="Active sites"
            heads={['Site', '']}
            rows={sites.map(({ id, url }) => [
              url,
              <ActionButton
                action={`${PATHS.archives}/export`}
                label="Export"
                name={url}
                fields={{ id: String(id) }}
              />,
            ])}
          />
        )}
        {archives.length > 0 && <Archives rows={archives} sites={sites} />}
        <h2>Import a site</h2>
        <p>
          The archive becomes a new site of this account. Nothing is published by it: planned articles become drafts,
          and you connect the site again.
        </p>
        <form class="stack narrow" method="post" action={`${PATHS.archives}/import`} enctype="multipart/form-data">
          <label>
            Archive, at most {MAX_ARCHIVE_BYTES / 1024 / 1024} MB
            <input type="file" name="file" accept=".gz,.ndjson" required />
          </label>
          <PlaceCost c={c} used={sites.length} />
          <button type="submit">Import</button>
        </form>
        {imports.length > 0 && <Imports rows={imports} />}
      </>
    ),
  })
}

const statusOf = ({ code }: ApiError): 400 | 403 | 404 | 409 | 413 => {
  if (code === 'forbidden') return 403
  if (code === 'not_found') return 404
  if (code === 'body_too_large') return 413
  return code === 'edit_conflict' ? 409 : 400
}

/** Adds the page to export sites as archives, and to import sites from them. */
export const archivesPages = (app: Hono<PagesEnv>, front: Front): void => {
  const room = createRoom(front.deps.wait)
  const intake = archiveIntake(front.deps)
  const act = async (c: PagesContext, run: () => Promise<string>) => {
    try {
      return await backTo(c, front, PATHS.archives, { tone: 'good', text: await run() })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
      return await page(c, front, { tone: 'bad', text: error.message }, statusOf(error))
    }
  }
  app.get(PATHS.archives, signedIn(front), (c) => page(c, front))
  app.get(`${PATHS.archives}/:id`, signedIn(front), async (c) => {
    try {
      const id = idIn(c.req.param('id'))
      const chunks = await readArchive(ctxOf(c, front), c.get('person'), id)
      const failed = (error: unknown) => front.deps.log('error', 'archive.not_sent', errorFields(error))
      c.header('Content-Type', 'application/gzip')
      c.header('Content-Disposition', `attachment; filename="site-${id}.ndjson.gz"`)
      const packed = bodyStream(chunks, failed) as ReadableStream<Uint8Array<ArrayBuffer>>
      return c.body(packed.pipeThrough(new CompressionStream('gzip')))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await page(c, front, { tone: 'bad', text: error.message }, statusOf(error))
    }
  })
  app.post(`${PATHS.archives}/export`, signedIn(front), (c) =>
    act(c, async () => {
      await exportProjectAs(ctxOf(c, front), c.get('person'), idIn((await formOf(c)).id))
      return 'The archive is being made. Open this page again to see when it is ready.'
    }),
  )
  app.post(`${PATHS.archives}/import`, signedIn(front), (c) =>
    act(c, async () => {
      const boundary = boundaryOf(c.req.header('content-type') ?? null)
      if (boundary === undefined) throw new ApiError('invalid_input', 'Choose a file.')
      const declared = { field: 'file', maxBytes: MAX_ARCHIVE_BYTES + 1024 * 1024 }
      const form = await readUploadBody(c.req.raw, boundary, declared, (chunks) => intake(chunks, room))
      try {
        if (!(form.upload instanceof Upload)) throw new ApiError('invalid_input', 'Choose a file.')
        await importProject(ctxOf(c, front), { file: form.upload as Upload<TakenArchive> })
      } finally {
        await form.upload?.drop()
      }
      return 'The archive is being read. Open this page again to see when the site is there.'
    }),
  )
}
