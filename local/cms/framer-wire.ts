import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse, stringify } from 'devalue'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FramerItem, FramerSession, FramerValue } from '../../src/providers/cms/framer/port.ts'
import { createFramer, type FramerOptions, type FramerStandIn } from './framer.ts'

export type FramerWireOptions = FramerOptions & {
  /** Time that the project takes to start, ms. A large one takes 15 to 40 seconds. */
  openMs?: number
  /** Number of polls until a deployment has ended and is live. */
  deploymentPolls?: number
  deploymentFails?: boolean
}

export type FramerWire = FramerStandIn & {
  serverUrl: string
  methods: string[]
  /** Ends the deployment at the next poll. */
  endDeployment: () => void
  close: () => Promise<void>
}

type ItemInput = { slug?: string; draft?: boolean; fieldData?: Record<string, FramerValue> }
type Call = { methodName: string; id: number; args: unknown[] }

const BLOG = 'blog'

const asset = (url: string, altText = '') => ({ __class: 'ImageAsset', id: url, url, thumbnailUrl: url, altText })

/** Returns an item in the form of the wire, in which images are assets. */
const wireItem = ({ fields, ...item }: FramerItem) => ({
  ...item,
  nodeId: item.id,
  slugByLocale: {},
  fieldData: Object.fromEntries(
    Object.entries(fields).map(([id, entry]) => [
      id,
      entry.type === 'image' ? { type: 'image', value: entry.value ? asset(entry.value, entry.alt) : null } : entry,
    ]),
  ),
})

/** The site's last deployment, and the number of polls until it ends. */
type Last = { looks: number; status: 'pending' | 'ready' | 'failed'; createdAt: string }
type WireState = { session: FramerSession; options: FramerWireOptions; last: Last }

const shownDeployment = ({ status, createdAt }: Last) => ({
  id: 'd1',
  status,
  createdAt,
  ...(status === 'failed' ? { failureStage: 'optimization' } : {}),
})

const inputOf = ({ fieldData = {}, ...rest }: ItemInput) => ({ ...rest, fields: fieldData })

/** Arguments of a call: usually an id, then the data. */
type Args = readonly [first: string, second: unknown]

const METHODS: Record<string, (state: WireState, args: Args) => Promise<unknown>> = {
  getProjectInfo2: async ({ session }) => ({ id: 'p', name: await session.projectName() }),
  getCollections: async ({ session }) => (await session.collections()).map(wireCollection),
  getCollection: async ({ session }, [id]) =>
    (await session.collections()).map(wireCollection).find((one) => one.id === id) ?? null,
  getCollectionFields3: ({ session }, [id]) => session.fields(id),
  getCollectionItems3: async ({ session }, [id]) => (await session.items(id)).map(wireItem),
  addCollectionItems2: async ({ session }, [id, items]) => {
    for (const item of items as ItemInput[]) await session.addItem(id, { slug: item.slug ?? '', ...inputOf(item) })
  },
  removeCollectionItems: async ({ session }, [ids]) => {
    for (const id of ids as unknown as string[]) await session.removeItem(BLOG, id)
  },
  setCollectionItemAttributes2: async ({ session }, [id, change]) => {
    const isThere = await session.changeItem(BLOG, id, inputOf(change as ItemInput))
    const item = (await session.items(BLOG)).find((one) => one.id === id)
    return isThere && item ? wireItem(item) : null
  },
  getUnpublishedPageChanges: async () => [],
  publish: async ({ options, last }) => {
    const createdAt = (options.now?.() ?? new Date()).toISOString()
    Object.assign(last, { looks: options.deploymentPolls ?? 0, status: 'pending', createdAt })
    return { deployment: shownDeployment(last), hostnames: [{ isPrimary: true, deploymentId: 'd1' }] }
  },
  getDeployment: async ({ session, options, last }) => {
    last.looks -= 1
    if (last.looks < 0 && last.status === 'pending') {
      last.status = options.deploymentFails ? 'failed' : 'ready'
      if (last.status === 'ready') await session.publish()
    }
    return shownDeployment(last)
  },
  listDeployments: async (state) => {
    await METHODS.getDeployment?.(state, ['d1', undefined])
    return { deployments: [shownDeployment(state.last)], hasNextPage: false }
  },
  getPublishInfo: async ({ session }) => {
    const site = await session.site()
    return { staging: null, production: site && { url: site.url, deploymentTime: Date.parse(site.deployedAt) } }
  },
  getNodesWithType: async ({ session }) => [
    { __class: 'WebPageNode', id: 'page', path: await session.detailPath(BLOG), collectionId: BLOG, draft: false },
  ],
  uploadImage: async ({ session }, [given]) => {
    const { url, altText = '' } = given as unknown as { url: string; altText?: string }
    return asset(await session.uploadImage(url, altText), altText)
  },
}

const wireCollection = ({
  isWritable,
  titleFieldId,
  ...rest
}: Awaited<ReturnType<FramerSession['collections']>>[number]) => ({
  ...rest,
  slugFieldName: 'Slug',
  slugFieldBasedOn: titleFieldId,
  readonly: !isWritable,
  managedBy: isWritable ? 'user' : 'anotherPlugin',
})

/** Serves one client: sends `ready`, answers its signal after the project has started, then answers its calls. */
const serve = (
  { port }: FramerStandIn,
  options: FramerWireOptions,
  { methods, last }: { methods: string[]; last: Last },
  key: string,
  socket: WebSocket,
): void => {
  const opened = port.open('', key, '')
  const answer = async ({ methodName, id, args }: Call) => {
    methods.push(methodName)
    try {
      const method = METHODS[methodName]
      if (!method) throw new Error(`Unknown method ${methodName}`)
      const result = await method({ session: await opened, options, last }, args as unknown as Args)
      socket.send(stringify({ type: 'methodResponse', id, result }))
    } catch (error) {
      socket.send(stringify({ type: 'methodResponse', id, error: error instanceof Error ? error.message : 'failed' }))
    }
  }
  const begin = () =>
    socket.send(stringify({ type: 'pluginReadyResponse', mode: 'api', permissionMap: {}, environmentInfo: {} }))
  socket.on('message', (text) => {
    const message = parse(String(text)) as { type: string } & Call
    if (message.type === 'pluginReadySignal') setTimeout(begin, options.openMs ?? 0)
    if (message.type === 'methodInvocation') void answer(message)
  })
  socket.on('close', () => void opened.then((session) => session.disconnect()).catch(() => undefined))
  socket.send(stringify({ type: 'ready', requestId: 'r1', sessionId: 's1', version: '1' }))
}

/**
 * Starts Framer's WebSocket channel on 127.0.0.1, as `framer-api` 5.0.0 uses it.
 *
 * Projects can take long to start, and deployments can take long to end, or fail.
 */
export const startFramerWire = async (options: FramerWireOptions = {}): Promise<FramerWire> => {
  const standIn = createFramer(options)
  const methods: string[] = []
  const last: Last = { looks: 0, status: 'ready', createdAt: '' }
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((_, response) => response.writeHead(426).end())
  server.on('upgrade', (request, stream, head) => {
    const key = /^Token (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (key !== standIn.apiKey) return stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(request, stream, head, (socket) => serve(standIn, options, { methods, last }, key, socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const endDeployment = () => {
    last.looks = 0
  }
  return { ...standIn, serverUrl: `ws://127.0.0.1:${port}`, methods, endDeployment, close }
}
