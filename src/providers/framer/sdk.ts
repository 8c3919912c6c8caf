import type { Collection, CollectionItem, Field, FieldDataEntry, FieldDataInput, Framer } from 'framer-api'
import type { FramerField, FramerItem, FramerItemInput, FramerPort, FramerSession, FramerValue } from './port.ts'

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

const publishAll = async (framer: Framer): Promise<number> => {
  const changes = await framer.getUnpublishedPageChanges()
  const { deployment, hostnames } = await framer.publish()
  // With a staging site, publishing reaches that alone.
  const isDeployed = hostnames.some((host) => host.isPrimary && host.deploymentId === deployment.id)
  if (!isDeployed) await framer.deploy(deployment.id)
  return changes.length
}

const sessionOf = (framer: Framer): FramerSession => {
  const collection = async (id: string): Promise<Collection> => {
    const found = (await framer.getCollections()).find((one) => one.id === id)
    if (!found) throw new Error('The collection is gone.')
    return found
  }
  return {
    projectName: async () => (await framer.getProjectInfo()).name,
    collections: async () =>
      (await framer.getCollections()).map(({ id, name, managedBy, readonly }) => ({
        id,
        name,
        isWritable: managedBy === 'user' && !readonly,
      })),
    fields: async (id) => (await (await collection(id)).getFields()).map(toField),
    items: async (id) => (await (await collection(id)).getItems()).map(toItem),
    addItem: async (id, { slug, ...item }) => (await collection(id)).addItems([{ ...toInput(item), slug }]),
    changeItem: async (id, itemId, change) => {
      const item = (await (await collection(id)).getItems()).find((one) => one.id === itemId)
      return item ? (await item.setAttributes(toInput(change))) !== null : false
    },
    removeItem: async (id, itemId) => (await collection(id)).removeItems([itemId]),
    site: async () => {
      const { production } = await framer.getPublishInfo()
      return production && { url: production.url, deployedAt: new Date(production.deploymentTime).toISOString() }
    },
    detailPath: async (id) => {
      const pages = await framer.getNodesWithType('WebPageNode')
      return pages.find((page) => page.collectionId === id && !page.draft)?.path ?? null
    },
    publish: () => publishAll(framer),
    uploadImage: async (url, alt) => (await framer.uploadImage({ image: url, altText: alt })).url,
    disconnect: () => framer.disconnect(),
  }
}

/**
 * Framer by its own package, the only one that speaks the project's WebSocket protocol. It is loaded when a session is opened:
 * no other publication pays for starting it.
 */
export const framerSdk: FramerPort = {
  open: async (project, apiKey, clientId) => {
    const { connect } = await import('framer-api')
    return sessionOf(await connect(project, apiKey, { clientId }))
  },
}
