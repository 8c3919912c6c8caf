import { randomUUID } from 'node:crypto'
import type {
  FramerCollection,
  FramerField,
  FramerItem,
  FramerPort,
  FramerSession,
  FramerValue,
} from '../../src/providers/cms/framer/port.ts'

/** Fault of a call: the session breaks before or after its work, the project refuses it, or it gets no answer. */
export type FramerTrouble = 'before' | 'after' | { code?: string; message: string } | 'silence'

export type FramerOptions = {
  now?: () => Date
  fields?: readonly (Pick<FramerField, 'name' | 'type'> & Partial<FramerField>)[]
  /** More collections, with items by name. */
  others?: Record<string, readonly string[]>
  isManaged?: boolean
  /** Id of the field that slugs are made from. Absent: the project does not report one. */
  titleFieldId?: string
  /** True if the site cannot be published. */
  failsToPublish?: boolean
  neverPublished?: boolean
  /** Treatment of a taken slug: it is refused, silently changed, or the item is added beside the other. */
  takenSlug?: 'refuse' | 'suffix' | 'beside'
  /** Returns the fault of a call, for each call of a session and for opening one (`open`). */
  trouble?: (call: string) => FramerTrouble | undefined
  /** Runs while an item is being added, as the work of another person would. */
  beforeAdd?: (items: FramerItem[]) => void
}

export type FramerStandIn = {
  port: FramerPort
  apiKey: string
  items: () => FramerItem[]
  /** Published items, which readers see. */
  live: () => FramerItem[]
  calls: string[]
  /** Number of sessions that are open. */
  open: () => number
}

const MAIN = 'blog'

const USUAL: NonNullable<FramerOptions['fields']> = [
  { name: 'Title', type: 'string' },
  { name: 'Content', type: 'formattedText' },
  { name: 'Description', type: 'string' },
  { name: 'Image', type: 'image' },
  { name: 'Date', type: 'date' },
  { name: 'Article ID', type: 'string' },
]

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

type World = {
  options: FramerOptions
  collections: Map<string, { info: FramerCollection; fields: FramerField[]; items: FramerItem[] }>
  live: FramerItem[]
  deployedAt: string | null
  now: () => string
}

const fieldOf = (given: Pick<FramerField, 'name' | 'type'> & Partial<FramerField>): FramerField => ({
  id: `f-${given.name.toLowerCase().replace(/\W/g, '')}`,
  required: false,
  cases: [],
  collectionId: null,
  ...given,
})

const collectionIn = (world: World, id: string) => {
  const found = world.collections.get(id)
  if (!found) throw new Error('The collection is gone.')
  return found
}

const checked = (fields: readonly FramerField[], values: Record<string, FramerValue>): Record<string, FramerValue> => {
  for (const [id, value] of Object.entries(values)) {
    const field = fields.find((one) => one.id === id)
    if (!field) throw new Error(`Field not found: ${id}`)
    if (field.type !== value.type) throw new Error(`Invalid value for field ${field.name}: ${value.type}`)
    if (value.type === 'enum' && !field.cases.some((one) => one.id === value.value))
      throw new Error('Invalid enum case')
  }
  return structuredClone(values)
}

const addItem = (world: World, id: string, given: Parameters<FramerSession['addItem']>[1]): void => {
  const { items, fields } = collectionIn(world, id)
  world.options.beforeAdd?.(items)
  const isTaken = items.some((item) => item.slug === given.slug)
  const how = world.options.takenSlug ?? 'refuse'
  if (isTaken && how === 'refuse') throw new Error('Slug must be unique: an item with this slug already exists')
  const slug = isTaken && how === 'suffix' ? `${given.slug}-2` : given.slug
  const at = world.now()
  const values = checked(fields, given.fields)
  items.push({ id: randomUUID(), slug, draft: given.draft ?? false, createdAt: at, updatedAt: at, fields: values })
}

const changeItem: (world: World, ...given: Parameters<FramerSession['changeItem']>) => boolean = (
  world,
  id,
  itemId,
  { fields, ...rest },
) => {
  const collection = collectionIn(world, id)
  const item = collection.items.find((one) => one.id === itemId)
  if (!item) return false
  Object.assign(item, rest, { updatedAt: world.now() })
  Object.assign(item.fields, checked(collection.fields, fields))
  return true
}

const publish = (world: World): { pages: number } | { failed: string } => {
  if (world.options.failsToPublish) return { failed: 'the deployment failed at the stage optimization' }
  world.deployedAt = world.now()
  world.live = structuredClone(collectionIn(world, MAIN).items.filter((item) => !item.draft))
  return { pages: 1 }
}

const sessionOf = (world: World): Omit<FramerSession, 'disconnect'> => ({
  projectName: async () => 'The Shed',
  collections: async () => [...world.collections.values()].map(({ info }) => info),
  fields: async (id) => collectionIn(world, id).fields,
  items: async (id) => structuredClone(collectionIn(world, id).items),
  addItem: async (id, item) => addItem(world, id, item),
  changeItem: async (...given) => changeItem(world, ...given),
  removeItem: async (id, itemId) => {
    const collection = collectionIn(world, id)
    collection.items = collection.items.filter((item) => item.id !== itemId)
  },
  site: async () =>
    world.deployedAt === null ? null : { url: 'https://shed.framer.website', deployedAt: world.deployedAt },
  detailPath: async () => '/blog/:slug',
  publish: async () => publish(world),
  pending: async () => null,
  uploadImage: async (url) => {
    if (/broken/.test(url)) throw new Error('Failed to fetch the image')
    return `https://framerusercontent.com/images/${url.split('/').at(-1)}`
  },
})

const worldOf = (options: FramerOptions): World => {
  const now = options.now ?? (() => new Date())
  const info = { id: MAIN, name: 'Blog', isWritable: !options.isManaged, titleFieldId: options.titleFieldId ?? null }
  const collections: World['collections'] = new Map([
    [MAIN, { info, fields: (options.fields ?? USUAL).map(fieldOf), items: [] }],
  ])
  for (const [name, items] of Object.entries(options.others ?? {}))
    collections.set(name.toLowerCase(), {
      info: { id: name.toLowerCase(), name, isWritable: true, titleFieldId: null },
      fields: [fieldOf({ name: 'Name', type: 'string' })],
      items: items.map((item) => ({
        id: `${name}-${item}`,
        slug: item.toLowerCase().replace(/\W+/g, '-'),
        draft: false,
        createdAt: null,
        updatedAt: null,
        fields: { 'f-name': { type: 'string', value: item } },
      })),
    })
  const deployedAt = options.neverPublished ? null : now().toISOString()
  return { options, collections, live: [], deployedAt, now: () => now().toISOString() }
}

/**
 * Creates a stand-in of Framer behind the adapter's own port: sessions, collections and items, and the faults of each
 * call.
 */
export const createFramer = (options: FramerOptions = {}): FramerStandIn => {
  const world = worldOf(options)
  const apiKey = `fr_${randomUUID()}`
  const calls: string[] = []
  let opened = 0
  const meet = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    calls.push(call)
    const trouble = options.trouble?.(call)
    if (trouble === 'silence') return await new Promise<T>(() => undefined)
    if (trouble === 'before') throw coded('PROJECT_CLOSED', 'Connection to the server was closed (code: 1006)')
    if (typeof trouble === 'object')
      throw trouble.code ? coded(trouble.code, trouble.message) : new Error(trouble.message)
    const answer = await work()
    if (trouble === 'after') throw coded('PROJECT_CLOSED', 'Connection to the server was closed (code: 1006)')
    return answer
  }
  const open: FramerPort['open'] = (_project, key) =>
    meet('open', async () => {
      if (key !== apiKey) throw new Error('WebSocket upgrade failed - server did not accept')
      opened += 1
      const calm = Object.entries(sessionOf(world)) as [string, (...given: unknown[]) => Promise<unknown>][]
      const session = calm.map(([name, work]) => [name, (...given: unknown[]) => meet(name, () => work(...given))])
      const disconnect = async () => {
        opened -= 1
      }
      return { ...(Object.fromEntries(session) as Omit<FramerSession, 'disconnect'>), disconnect }
    })
  return {
    port: { open },
    apiKey,
    calls,
    items: () => collectionIn(world, MAIN).items,
    live: () => world.live,
    open: () => opened,
  }
}
