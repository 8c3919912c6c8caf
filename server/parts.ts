import { join } from 'node:path'
import { openPostgres } from '../local/neon/backend-postgres.ts'
import { answerError, answerSql, MAX_SQL_BYTES } from '../local/neon/server.ts'
import { filesIn } from '../local/r2/files.ts'
import { partsIn } from '../local/r2/parts.ts'
import { answerObjects, objectsFailure } from '../local/r2/server.ts'
import { json, readBody, send } from '../local/receiver/answers.ts'
import { createRedisStore } from '../local/redis/backend-redis.ts'
import { answerRedis, MAX_REDIS_BYTES, redisFailure } from '../local/redis/server.ts'
import { type Bucket, bucketAt } from './bucket.ts'
import type { ServerSettings } from './settings.ts'
import { type Serving, serveAt } from './socket.ts'

/** Returns a server and what it uses as one, which end together. */
const together = (server: Serving, close: () => Promise<void>): Serving => ({
  close: async (graceMs) => {
    await server.close(graceMs)
    await close()
  },
})

/** Returns the password of a connection string. The driver adds its own name to the rest. */
const passwordIn = (connectionString: string): string | undefined =>
  URL.canParse(connectionString) ? new URL(connectionString).password : undefined

/**
 * Serves PostgreSQL as Neon's driver calls it.
 *
 * `connectionString` is the one that the Workers have: a secret of this start, without the credentials of PostgreSQL.
 */
export const serveDatabase = async (
  path: string,
  { databaseUrl, connectionString }: { databaseUrl: string; connectionString: string },
): Promise<Serving> => {
  const backend = openPostgres(databaseUrl)
  const server = await serveAt(
    path,
    async (req, res) => {
      const body = (await readBody(req, MAX_SQL_BYTES)).toString('utf8')
      const isOurs = passwordIn(String(req.headers['neon-connection-string'])) === passwordIn(connectionString)
      send(res, isOurs ? await answerSql(backend, req, body) : json(401, { message: 'unknown connection string' }))
    },
    answerError,
  )
  return together(server, backend.close)
}

/** Serves Redis or Valkey as Upstash's REST client calls it. */
export const serveRedis = async (
  path: string,
  { redisUrl, token }: { redisUrl: string; token: string },
): Promise<Serving> => {
  const store = createRedisStore(redisUrl)
  const server = await serveAt(
    path,
    async (req, res) => {
      const body = (await readBody(req, MAX_REDIS_BYTES)).toString('utf8')
      send(res, await answerRedis({ token, store }, req, body))
    },
    redisFailure,
  )
  return together(server, store.close)
}

/** Returns the bucket of the settings; undefined if pictures are in the folder. `folder`: where uploads wait. */
export const bucketOf = (settings: ServerSettings, folder: string): Bucket | undefined => {
  const { PICTURES_S3_URL: url, PICTURES_S3_REGION: region = 'us-east-1' } = settings
  const { PICTURES_S3_KEY_ID: keyId = '', PICTURES_S3_SECRET: secret = '' } = settings
  return url === undefined ? undefined : bucketAt({ url, region, keyId, secret }, folder)
}

/**
 * Serves pictures and other files as the Workers' binding to R2 calls it: in a bucket, or else in a folder. Objects in
 * parts wait in the folder until they are complete.
 */
export const servePictures = async (path: string, folder: string, bucket: Bucket | undefined): Promise<Serving> => {
  const files = bucket ?? filesIn(folder)
  const parts = partsIn(folder, files)
  return await serveAt(path, (req, res) => answerObjects({ files, parts }, req, res), objectsFailure)
}

/** Returns the paths of the sockets in a folder. */
export const socketsIn = (folder: string) => ({
  database: join(folder, 'database.sock'),
  redis: join(folder, 'redis.sock'),
  queue: join(folder, 'queue.sock'),
  pictures: join(folder, 'pictures.sock'),
  mail: join(folder, 'mail.sock'),
  control: join(folder, 'control.sock'),
})

/** Paths of the sockets of one running service. */
export type Sockets = ReturnType<typeof socketsIn>
