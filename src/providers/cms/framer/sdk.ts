import type { Collection, CollectionItem, Field, FieldDataEntry, FieldDataInput, Framer } from 'framer-api'
import type {
  FramerDeployment,
  FramerField,
  FramerItem,
  FramerItemInput,
  FramerPort,
  FramerSession,
  FramerValue,
} from './port.ts'

const toField = (field: Field): FramerField => ({
  id: field.id,
  name: field.name,
  type: field.type,
  required: 'required' in field && field.required === true,
  cases: field.type === 'enum' ? field.cases.map(({ id, name }) => ({ id, name })) : [],
  collectionId: 'collectionId' in field ? field.collectionId : null,
})

const toValue = (entry: FieldDataEntry): FramerValue | undefined => {
  switch (entry.type) {
    case 'string':
    case 'formattedText':
    case 'enum':
      return { type: entry.type, value: entry.value }
    case 'date':
    case 'link':
    case 'collectionReference':
      return { type: entry.type, value: entry.value ?? null }
    case 'image':
      return { type: 'image', value: entry.value?.url ?? null, alt: entry.value?.altText ?? '' }
    case 'multiCollectionReference':
      return { type: entry.type, value: entry.value }
    default:
      return undefined
  }
}

const toItem = (item: CollectionItem): FramerItem => ({
  id: item.id,
  slug: item.slug,
  draft: item.draft,
  createdAt: item.createdAt ?? null,
  updatedAt: item.updatedAt ?? null,
  fields: Object.fromEntries(
    Object.entries(item.fieldData).flatMap(([id, entry]) => {
      const value = toValue(entry)
      return value ? [[id, value]] : []
    }),
  ),
})

const toInput = ({ fields, ...rest }: FramerItemInput) => ({
  ...rest,
  fieldData: Object.fromEntries(
    Object.entries(fields).map(([id, value]) => [
      id,
      value.type === 'formattedText' ? { ...value, contentType: 'html' } : value,
    ]),
  ) as FieldDataInput,
})

const POLL_MS = 1_000
/** Together less than the time limit of a write. A deployment that takes longer is checked by the next search. */
const MAX_POLLS = 40

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Publishes, and waits until the deployment has ended, because the site is not live before. */
const publishAll = async (framer: Framer, pollMs: number): ReturnType<FramerSession['publish']> => {
  const changes = await framer.getUnpublishedPageChanges()
  const { deployment, hostnames } = await framer.publish()
  // With a staging site, `publish` updates only that one.
  const isDeployed = hostnames.some((host) => host.isPrimary && host.deploymentId === deployment.id)
  if (!isDeployed) await framer.deploy(deployment.id)
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const now = await framer.getDeployment(deployment.id)
    if (now.status === 'failed') return { failed: `the deployment failed at the stage ${now.failureStage}` }
    if (now.status !== 'pending') return { pages: changes.length }
    await pause(pollMs)
  }
  return { pending: deployment.id }
}

/** Number of deployments, from the newest, that are searched for one that has not ended. */
const MAX_DEPLOYMENTS = 5

const pendingIn = async (framer: Framer): Promise<FramerDeployment | null> => {
  for await (const { id, status, createdAt } of framer.listDeployments(MAX_DEPLOYMENTS))
    if (status === 'pending') return { id, createdAt }
  return null
}

/** Returns the collections and items of a session from a cache, because requests for them are slow. */
const seenBy = (framer: Framer) => {
  const collections = new Map<string, Collection>()
  const items = new Map<string, CollectionItem>()
  const collection = async (id: string): Promise<Collection> => {
    const known = collections.get(id) ?? (await framer.getCollection(id))
    if (!known) throw new Error('The collection is gone.')
    collections.set(id, known)
    return known
  }
  return {
    collection,
    collections: async () => {
      const all = await framer.getCollections()
      for (const one of all) collections.set(one.id, one)
      return all
    },
    items: async (id: string) => {
      const all = await (await collection(id)).getItems()
      for (const item of all) items.set(item.id, item)
      return all
    },
    item: async (id: string, itemId: string) =>
      items.get(itemId) ?? (await (await collection(id)).getItems()).find((one) => one.id === itemId),
  }
}

const sessionOf = (framer: Framer, pollMs: number): FramerSession => {
  const seen = seenBy(framer)
  return {
    projectName: async () => (await framer.getProjectInfo()).name,
    collections: async () =>
      (await seen.collections()).map(({ id, name, managedBy, slugFieldBasedOn }) => ({
        id,
        name,
        isWritable: managedBy === 'user',
        titleFieldId: slugFieldBasedOn,
      })),
    fields: async (id) => (await (await seen.collection(id)).getFields()).map(toField),
    items: async (id) => (await seen.items(id)).map(toItem),
    addItem: async (id, { slug, ...item }) => (await seen.collection(id)).addItems([{ ...toInput(item), slug }]),
    changeItem: async (id, itemId, change) => {
      const item = await seen.item(id, itemId)
      return item ? (await item.setAttributes(toInput(change))) !== null : false
    },
    removeItem: async (id, itemId) => (await seen.collection(id)).removeItems([itemId]),
    site: async () => {
      const { production } = await framer.getPublishInfo()
      return production && { url: production.url, deployedAt: new Date(production.deploymentTime).toISOString() }
    },
    detailPath: async (id) => {
      const pages = await framer.getNodesWithType('WebPageNode')
      return pages.find((page) => page.collectionId === id && !page.draft)?.path ?? null
    },
    publish: () => publishAll(framer, pollMs),
    pending: () => pendingIn(framer),
    uploadImage: async (url, alt) => (await framer.uploadImage({ image: url, altText: alt })).url,
    disconnect: () => framer.disconnect(),
  }
}

/**
 * Returns the port that uses Framer's own package, the only one that speaks the project's WebSocket protocol.
 *
 * See https://www.framer.com/developers/server-api-introduction.
 *
 * The package is loaded when a session opens, so that other publications do not pay for its start. `serverUrl` is for a stand-in.
 */
export const framerSdk = ({
  serverUrl,
  pollMs = POLL_MS,
}: {
  serverUrl?: string
  pollMs?: number
} = {}): FramerPort => ({
  open: async (project, apiKey, clientId) => {
    const { connect } = await import('framer-api')
    return sessionOf(await connect(project, apiKey, { clientId, ...(serverUrl ? { serverUrl } : {}) }), pollMs)
  },
})
