// A real server of the AT protocol (@atproto/pds) with one account, and a stand-in of the directory of DIDs that it needs.
// scripts/test-bluesky.sh runs it in the folder where the server is installed. `PORT=N node pds.mjs FOLDER` keeps its data in
// FOLDER, prints KEY=value lines for the tests, then `ready`, and continues to run.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , dir] = process.argv
if (!dir) throw new Error('Usage: pds.mjs FOLDER')
const installed = pathToFileURL(join(process.cwd(), 'node_modules/@atproto/pds/dist/index.js')).href
const { envToCfg, envToSecrets, PDS } = await import(installed)

/** Directory of DIDs (did:plc): the last operation of each, and its document. */
const operations = new Map()

const documentOf = (did, { alsoKnownAs, services, verificationMethods }) => ({
  '@context': ['https://www.w3.org/ns/did/v1'],
  id: did,
  alsoKnownAs,
  verificationMethod: Object.entries(verificationMethods).map(([name, key]) => ({
    id: `${did}#${name}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: key.replace('did:key:', ''),
  })),
  service: Object.entries(services).map(([name, { type, endpoint }]) => ({
    id: `#${name}`,
    type,
    serviceEndpoint: endpoint,
  })),
})

const directory = createServer(async (req, res) => {
  const [, did = '', data] = decodeURIComponent(req.url ?? '').split('/')
  let text = ''
  for await (const chunk of req) text += chunk
  if (req.method === 'POST') operations.set(did, { did, ...JSON.parse(text) })
  const found = operations.get(did)
  const body = !found ? { message: 'not registered' } : data === 'data' ? found : documentOf(did, found)
  res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))

const plc = await listen(directory)
const port = Number(process.env.PORT)
const hex = () => randomBytes(32).toString('hex')
const env = {
  devMode: true,
  port,
  hostname: 'localhost',
  didPlcUrl: `http://127.0.0.1:${plc}`,
  disableSsrfProtection: true,
  dataDirectory: join(dir, 'data'),
  blobstoreDiskLocation: join(dir, 'blobs'),
  blobstoreDiskTmpLocation: join(dir, 'blobs-tmp'),
  inviteRequired: false,
  rateLimitsEnabled: false,
  crawlers: [],
  enableDidDocWithSession: true,
  jwtSecret: hex(),
  dpopSecret: hex(),
  adminPassword: hex(),
  plcRotationKeyK256PrivateKeyHex: hex(),
}
const server = await PDS.create(envToCfg(env), envToSecrets(env))
await server.start()

const url = `http://localhost:${port}`
const call = async (method, body, token) => {
  const response = await fetch(`${url}/xrpc/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const account = { handle: 'sheds.test', email: 'owner@sheds.example', password: hex() }
const { did, accessJwt } = await call('com.atproto.server.createAccount', account)
const { password } = await call('com.atproto.server.createAppPassword', { name: 'tests' }, accessJwt)
console.log(
  `BLUESKY_URL=${url}\nBLUESKY_HANDLE=${account.handle}\nBLUESKY_DID=${did}\nBLUESKY_APP_PASSWORD=${password}\nready`,
)
