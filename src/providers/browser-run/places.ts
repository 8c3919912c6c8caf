import type { Connection } from './connection.ts'
import type { Page } from './page.ts'

/** A frame in which our scripts run, in an isolated world that the page's scripts cannot reach. */
export type Place = {
  session: string
  /** Absent if the browser created no isolated world. Our scripts then run among the page's own. */
  contextId?: number
  /** The element that shows the frame: the frame's id, and the session of the page around it. Absent for the page itself. */
  owner?: { frameId: string; session: string }
}

type Frames = { frame: { id: string }; childFrames?: Frames[] }
type Node = {
  backendNodeId: number
  frameId?: string
  shadowRootType?: string
  children?: Node[]
  shadowRoots?: Node[]
  contentDocument?: Node
}

const WORLD = 'reader'

/** With more nodes than this, closed shadow roots are not searched: the answer would be some ten megabytes. */
const MAX_NODES = 50_000

const idsIn = ({ frame, childFrames = [] }: Frames): string[] => [frame.id, ...childFrames.flatMap(idsIn)]

type ClosedRoot = { backendNodeId: number; frameId: string }

/** Returns the closed shadow roots below a node, each with its frame. */
const closedIn = (top: Node, frame: string): ClosedRoot[] => {
  const found: ClosedRoot[] = []
  const left: [Node, string][] = [[top, frame]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, frameId] = next
    if (node.shadowRootType === 'closed') found.push({ backendNodeId: node.backendNodeId, frameId })
    for (const below of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) left.push([below, frameId])
    if (node.contentDocument) left.push([node.contentDocument, node.frameId ?? frameId])
  }
  return found
}

/** Passes the closed shadow roots of each frame to our scripts there, because scripts of a page cannot find them. */
const passClosedRoots = async ({ send }: Connection, session: string, contexts: ReadonlyMap<string, number>) => {
  const [top] = contexts
  if (top === undefined) return
  const expression = 'document.getElementsByTagName("*").length'
  const counted = await send('Runtime.evaluate', { expression, contextId: top[1], returnByValue: true }, session)
  if (Number((counted.result as { value?: number }).value) > MAX_NODES) return
  const { root } = await send('DOM.getDocument', { depth: -1, pierce: true }, session)
  const closed = closedIn(root as Node, top[0])
  for (const [frameId, executionContextId] of contexts) {
    const roots = await Promise.all(
      closed
        .filter((one) => one.frameId === frameId)
        .map(async ({ backendNodeId }) => {
          const { object } = await send('DOM.resolveNode', { backendNodeId, executionContextId }, session)
          return { objectId: (object as { objectId: string }).objectId }
        }),
    )
    const functionDeclaration =
      'function (...roots) { globalThis.closedRoots = new Map(roots.map((root) => [root.host, root])) }'
    await send('Runtime.callFunctionOn', { functionDeclaration, executionContextId, arguments: roots }, session)
  }
}

const placesIn = async (connection: Connection, session: string, parent: Place['owner']): Promise<Place[]> => {
  const { send } = connection
  const { frameTree } = await send('Page.getFrameTree', {}, session)
  const contexts = new Map<string, number>()
  for (const frameId of idsIn(frameTree as Frames)) {
    const world = await send('Page.createIsolatedWorld', { frameId, worldName: WORLD }, session).catch(() => undefined)
    if (world) contexts.set(frameId, Number(world.executionContextId))
  }
  await passClosedRoots(connection, session, contexts).catch(() => undefined)
  return [...contexts].map(([frameId, contextId], n) => {
    const owner = n === 0 ? parent : { frameId, session }
    return { session, contextId, ...(owner ? { owner } : {}) }
  })
}

/** Returns all frames of a page, the page itself first. Frames of other sites have sessions of their own. */
export const placesOf = async (connection: Connection, page: Page): Promise<Place[]> => {
  const sessions = [{ session: page.session, owner: undefined }, ...page.frames()]
  const places = await Promise.all(
    sessions.map(({ session, owner }) => placesIn(connection, session, owner).catch((): Place[] => [])),
  )
  const [own = [], ...others] = places
  return [...(own.length > 0 ? own : [{ session: page.session }]), ...others.flat()]
}
