import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { requireSpace } from '../local/disk.ts'
import { VERSION } from '../src/platform/lib/version.generated.ts'
import { bringAll } from './bucket.ts'
import { ServerFault } from './fault.ts'
import { bucketOf } from './parts.ts'
import { placesIn } from './places.ts'
import { command, postgresProgram, withDatabase } from './programs.ts'
import { readSettings, SETTINGS_FILE } from './settings.ts'

/** First bytes of an encrypted backup. */
const MAGIC = Buffer.from('GALLEY-BACKUP-1\n')
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

const keyOf = (password: string, salt: Buffer): Buffer => scryptSync(password.normalize('NFKC'), salt, 32)

/** Encrypts a file with AES-256-GCM. Whoever changes a byte of the result is found out when it is opened. */
const encrypt = async (from: string, to: string, password: string): Promise<void> => {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', keyOf(password, salt), iv)
  const target = createWriteStream(to, { mode: 0o600 })
  target.write(Buffer.concat([MAGIC, salt, iv]))
  await pipeline(createReadStream(from), cipher, target)
  const file = await open(to, 'a')
  await file.appendFile(cipher.getAuthTag())
  await file.close()
}

const isEncrypted = async (file: string): Promise<boolean> => {
  const opened = await open(file, 'r')
  const { buffer } = await opened.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
  await opened.close()
  return buffer.equals(MAGIC)
}

/** Decrypts a file. Throws a ServerFault if the password is wrong or a byte was changed. */
const decrypt = async (from: string, to: string, password: string): Promise<void> => {
  const { size } = await stat(from)
  const headBytes = MAGIC.length + SALT_BYTES + IV_BYTES
  const file = await open(from, 'r')
  const head = Buffer.alloc(headBytes)
  const tag = Buffer.alloc(TAG_BYTES)
  await file.read(head, 0, headBytes, 0)
  await file.read(tag, 0, TAG_BYTES, Math.max(0, size - TAG_BYTES))
  await file.close()
  const salt = head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(password, salt), head.subarray(MAGIC.length + SALT_BYTES))
  decipher.setAuthTag(tag)
  const body = createReadStream(from, { start: headBytes, end: size - TAG_BYTES - 1 })
  await pipeline(body, decipher, createWriteStream(to, { mode: 0o600 })).catch(() => {
    throw new ServerFault(
      `${from} cannot be opened: the password is wrong, or the file was changed.`,
      'Nothing was changed. Set BACKUP_PASSWORD to the one that it was made with.',
    )
  })
}

/** Links the files of a folder into another one, those that are not there yet. A file that goes meanwhile is left out. */
const linkAll = async (from: string, to: string): Promise<void> => {
  if (!existsSync(from)) return
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const target = join(to, path.slice(from.length))
    await mkdir(dirname(target), { recursive: true })
    await link(path, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
    })
  }
}

/** Description of a backup, in its archive. */
type Manifest = { format: 1; release: string; at: string }

const MANIFEST = 'manifest.json'
export const DUMP = 'database.dump'
export const PICTURES = 'pictures'

/** Name of a backup, by which they are sorted and counted. */
const NAME = /^galley-\d{8}T\d{6}Z\.backup$/

const nameAt = (now: Date): string => `galley-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`

/**
 * Unpacks a backup into a folder. Throws a ServerFault if it is no backup, not whole, or encrypted with another password.
 */
export const unpack = async (file: string, folder: string, password: string | undefined): Promise<Manifest> => {
  if (!existsSync(file)) throw new ServerFault(`There is no ${file}.`, 'Nothing was changed.')
  const needsPassword = await isEncrypted(file)
  if (needsPassword && !password)
    throw new ServerFault(`${file} is encrypted.`, 'Nothing was changed. Set BACKUP_PASSWORD in the environment.')
  const tar = needsPassword ? join(folder, 'opened.tar') : file
  if (needsPassword) await decrypt(file, tar, password ?? '')
  try {
    await command('tar', ['--extract', `--file=${tar}`, `--directory=${folder}`, '--no-same-owner'])
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
    if (manifest.format === 1 && existsSync(join(folder, DUMP))) return manifest
  } catch {
    // Reported below, like an archive without the files.
  }
  throw new ServerFault(`${file} is no backup of galley-server, or it is not whole.`, 'Nothing was changed.')
}

/** File in the data that says when the last backup was written. */
const LAST = 'last-backup.json'

/** Returns when the last backup of a service was written; undefined if there is none. */
export const lastBackup = async (data: string): Promise<Date | undefined> => {
  const text = await readFile(join(data, LAST), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : new Date((JSON.parse(text) as { at: string }).at)
}

/** Removes the oldest backups of a folder, beyond so many. Returns their names. */
const removeOld = (folder: string, keep: number): string[] => {
  const old = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -keep)
  for (const name of old) rmSync(join(folder, name))
  return old
}

/**
 * Writes one file with database, pictures and settings, while the service runs. Returns its path.
 *
 * The dump is the state of one moment. Pictures are linked before and after it, so that every picture of that moment is in
 * the file. It is encrypted if the settings have BACKUP_PASSWORD. `keep`: as many newest backups stay in the folder.
 */
export const backup = async (
  data: string,
  { to, keep }: { to?: string | undefined; keep?: number | undefined },
): Promise<{ file: string; bytes: number; removed: string[] }> => {
  const settings = readSettings(data)
  const folder = resolve(to ?? join(data, 'backups'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  requireSpace(folder)
  // On the disk of the data, because links do not lead to another disk.
  const work = await mkdtemp(join(data, 'backup-'))
  const file = join(folder, nameAt(new Date()))
  try {
    const pictures = join(work, PICTURES)
    await mkdir(pictures)
    const stored = placesIn(data).pictures
    const bucket = bucketOf(settings, stored)
    const add = () => (bucket ? bringAll(bucket, pictures) : linkAll(stored, pictures))
    await add()
    const dump = ['--format=custom', '--no-owner', '--no-acl', '--no-comments', `--file=${join(work, DUMP)}`]
    await withDatabase(settings.DATABASE_URL, (env) => command(postgresProgram('pg_dump'), dump, env))
    await add()
    await copyFile(join(data, SETTINGS_FILE), join(work, SETTINGS_FILE))
    const manifest: Manifest = { format: 1, release: VERSION, at: new Date().toISOString() }
    await writeFile(join(work, MANIFEST), JSON.stringify(manifest))
    const parts = [MANIFEST, SETTINGS_FILE, DUMP, PICTURES]
    const tar = `${file}.tar`
    try {
      await command('tar', ['--create', `--file=${tar}`, `--directory=${work}`, ...parts], { umask: '077' })
      if (settings.BACKUP_PASSWORD) await encrypt(tar, `${file}.new`, settings.BACKUP_PASSWORD)
      else await rename(tar, `${file}.new`)
      const written = await open(`${file}.new`, 'r+')
      await written.chmod(0o600)
      await written.sync()
      await written.close()
      await rename(`${file}.new`, file)
    } finally {
      await Promise.all([tar, `${file}.new`].map((path) => rm(path, { force: true })))
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  await writeFile(join(data, LAST), JSON.stringify({ at: new Date().toISOString(), file }))
  return { file, bytes: statSync(file).size, removed: keep === undefined ? [] : removeOld(folder, keep) }
}
