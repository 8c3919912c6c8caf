/** Value of a field, of a type that this service writes. References are item ids. */
export type FramerValue =
  | { type: 'string' | 'formattedText' | 'enum'; value: string }
  | { type: 'date' | 'link' | 'collectionReference'; value: string | null }
  | { type: 'image'; value: string | null; alt?: string }
  | { type: 'multiCollectionReference'; value: readonly string[] }

/** Field of a collection. */
export type FramerField = {
  id: string
  name: string
  type: string
  required: boolean
  /** Options of an enum. */
  cases: readonly { id: string; name: string }[]
  /** The collection that a reference points to. */
  collectionId: string | null
}

/** Item of a collection. Times are ISO 8601. */
export type FramerItem = {
  id: string
  slug: string
  draft: boolean
  createdAt: string | null
  updatedAt: string | null
  /** Values by field id, without types that this service does not write. */
  fields: Record<string, FramerValue>
}

/** Parts of an item to write. Absent parts stay. */
export type FramerItemInput = { slug?: string; draft?: boolean; fields: Record<string, FramerValue> }

/** A collection. `titleFieldId` is the field that slugs are made from, which is the title. */
export type FramerCollection = { id: string; name: string; isWritable: boolean; titleFieldId: string | null }

/** The published site. */
export type FramerSite = { url: string; deployedAt: string } | null

export type FramerDeployment = { id: string; createdAt: string }

/**
 * One session at a project. Every call may throw.
 *
 * An error with a `code` is the SDK's own (connection, session, key). An error without one is the project's answer to that call.
 */
export type FramerSession = {
  projectName: () => Promise<string>
  collections: () => Promise<FramerCollection[]>
  fields: (collectionId: string) => Promise<FramerField[]>
  /** Returns all items, including drafts. Framer has no search. */
  items: (collectionId: string) => Promise<FramerItem[]>
  addItem: (collectionId: string, item: FramerItemInput & { slug: string }) => Promise<void>
  /** Returns false if the item is gone. */
  changeItem: (collectionId: string, id: string, change: FramerItemInput) => Promise<boolean>
  removeItem: (collectionId: string, id: string) => Promise<void>
  site: () => Promise<FramerSite>
  /** Returns the path of the page for the collection's items, with a placeholder for the slug; null if there is none. */
  detailPath: (collectionId: string) => Promise<string | null>
  /**
   * Publishes the whole project, deploys it to the site's domains and waits for the end.
   *
   * Returns the number of changed pages, why the deployment failed, or the id of one that has not ended yet.
   */
  publish: () => Promise<{ pages: number } | { failed: string } | { pending: string }>
  /** Returns the newest deployment that has not ended; null if there is none. */
  pending: () => Promise<FramerDeployment | null>
  /** Copies an image to Framer and returns its address there. */
  uploadImage: (url: string, alt: string) => Promise<string>
  disconnect: () => Promise<void>
}

/** Opens sessions at Framer. */
export type FramerPort = { open: (project: string, apiKey: string, clientId: string) => Promise<FramerSession> }
