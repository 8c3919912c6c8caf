import { expect, it } from 'vitest'
import { makeInParts } from '../../../src/platform/jobs/file-in-parts.ts'
import { memoryBucket } from '../../support/memory-bucket.ts'

type File = { name: string; parts: number; state: 'making' | 'ready'; expiresAt: Date; rows: string }

const PARTS = 3

const scene = () => {
  const { bucket, objects } = memoryBucket()
  let file: File | undefined = { name: 'copy', parts: 0, state: 'making', expiresAt: new Date('2100-01-01'), rows: '' }
  /** Makes the file. Each run reads other rows; `wait` comes between reading a part and storing it. */
  const run = (rows: string, wait: (part: number) => Promise<void> = async () => {}) =>
    makeInParts<File, Pick<File, 'parts' | 'state' | 'rows'>>(
      { media: bucket, now: () => new Date() },
      {
        folder: 'exports',
        contentType: 'text/plain',
        read: async () => file,
        next: async (one) => {
          const text = `${rows}${one.parts}`
          await wait(one.parts)
          const parts = one.parts + 1
          const state = parts === PARTS ? 'ready' : 'making'
          return { bytes: new TextEncoder().encode(text), progress: { parts, state, rows: `${one.rows} ${text}` } }
        },
        save: async (one, progress) => {
          if (file?.parts === one.parts) file = { ...file, ...progress }
        },
        drop: async () => {
          file = undefined
        },
      },
    )
  const stored = () => [...objects.values()].map(({ bytes }) => new TextDecoder().decode(bytes)).join(' ')
  return { run, stored, file: () => file, objects }
}

it('a run that continues after its lease replaces no part', async () => {
  const { run, stored, file } = scene()
  let go = (): void => {}
  const stalled = run('old', () => new Promise<void>((resolve) => (go = resolve)))
  await run('new')
  expect(file()).toMatchObject({ state: 'ready', rows: ' new0 new1 new2' })
  go()
  await stalled
  expect(stored()).toBe('new0 new1 new2')
  expect(file()).toMatchObject({ parts: PARTS, rows: ' new0 new1 new2' })
})

it('a run takes over the part of one that died before it saved its progress', async () => {
  const { run, stored, file } = scene()
  const died = new Error('died')
  await expect(
    run('old', async (part) => {
      if (part === 1) throw died
    }),
  ).rejects.toBe(died)
  // The progress after the first part is lost, as if the run had died between storing and saving.
  Object.assign(file() ?? {}, { parts: 0, rows: '' })
  await run('new')
  expect(stored()).toBe('old0 new1 new2')
  expect(file()).toMatchObject({ state: 'ready', rows: ' old0 new1 new2' })
})

it('a part of a release that stored no progress is replaced', async () => {
  const { run, stored, objects, file } = scene()
  objects.set('exports/copy/0.ndjson.gz', { bytes: new TextEncoder().encode('before'), uploaded: 0 })
  await run('new')
  expect(stored()).toBe('new0 new1 new2')
  expect(file()).toMatchObject({ state: 'ready' })
})
