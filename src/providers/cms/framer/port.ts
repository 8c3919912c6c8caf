export type FramerValue =
  | { type: 'string' | 'formattedText' | 'enum'; value: string }
  | { type: 'date' | 'link' | 'collectionReference'; value: string | null }
  | { type: 'image'; value: string | null; alt?: string }
  | { type: 'multiCollectionReference'; value: readonly string[] }

export type FramerField = {
  id: string
  name: string
  type: string
  required: boolean
  /** The cases of an enum. */
  cases: readonly { id: string; name: string }[]
  /** The collection a reference leads to. */
  collectionId: string | null
}

export type FramerItem = {
  id: string
  slug: string
  draft: boolean
  createdAt: string | null
  updatedAt: string | null
  /** By field id; values of kinds we do not write are left out. */
  fields: Record<string, FramerValue>
}

export type FramerItemInput = { slug?: string; draft?: boolean; fields: Record<string, FramerValue> }

/** `titleFieldId`: the field that items get their slug from, which is their title. */
export type FramerCollection = { id: string; name: string; isWritable: boolean; titleFieldId: string | null }

/** The site as readers see it. */
export type FramerSite = { url: string; deployedAt: string } | null

export type FramerDeployment = { id: string; createdAt: string }

/**
 * One session at a project. Every call may throw: an error with a `code` is the SDK's own (connection, session, key), one
 * without is the project's answer to that call.
 */
export type FramerSession = {
  projectName: () => Promise<string>
  collections: () => Promise<FramerCollection[]>
  fields: (collectionId: string) => Promise<FramerField[]>
  /** All items, drafts too; there is no search. */
  items: (collectionId: string) => Promise<FramerItem[]>
  addItem: (collectionId: string, item: FramerItemInput & { slug: string }) => Promise<void>
  /** False: the item is gone. */
  changeItem: (collectionId: string, id: string, change: FramerItemInput) => Promise<boolean>
  removeItem: (collectionId: string, id: string) => Promise<void>
  site: () => Promise<FramerSite>
  /** The path of the page that shows the collection's items, with a placeholder for the slug; null: there is none. */
  detailPath: (collectionId: string) => Promise<string | null>
  /**
   * Publishes the whole project, deploys it to the site's domains, and waits for the end. Returns the number of changed pages
   * that went along, why the deployment failed, or the id of one that has not ended yet.
   */
  publish: () => Promise<{ pages: number } | { failed: string } | { pending: string }>
  /** The newest deployment that has not ended; null if there is none. */
  pending: () => Promise<FramerDeployment | null>
  /** The address of an image copied to Framer. */
  uploadImage: (url: string, alt: string) => Promise<string>
  disconnect: () => Promise<void>
}

/** The way to Framer. */
export type FramerPort = { open: (project: string, apiKey: string, clientId: string) => Promise<FramerSession> }
