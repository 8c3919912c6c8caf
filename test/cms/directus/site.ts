const FULL = { permissions: {}, validation: {}, fields: ['*'] }

const text = (field: string, more: object = {}) => ({
  field,
  type: 'string',
  meta: { interface: 'input' },
  schema: {},
  ...more,
})

const choices = (...values: string[]) => ({ choices: values.map((value) => ({ text: value, value })) })

/** Fields of a collection of posts as people make it in the app. New items are public if a request does not say otherwise. */
const FIELDS = [
  { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true, length: 36 } },
  {
    field: 'status',
    type: 'string',
    meta: {
      interface: 'select-dropdown',
      options: choices('published', 'draft', 'archived'),
    },
    schema: { default_value: 'published', is_nullable: false },
  },
  { field: 'date_created', type: 'timestamp', meta: { special: ['date-created'] }, schema: {} },
  { field: 'date_updated', type: 'timestamp', meta: { special: ['date-updated'] }, schema: {} },
  text('title', { schema: { is_nullable: false, max_length: 255 } }),
  text('slug', { schema: { is_unique: true, max_length: 255 } }),
  { field: 'content', type: 'text', meta: { interface: 'input-rich-text-html' }, schema: {} },
  { field: 'description', type: 'text', meta: { interface: 'input-multiline' }, schema: {} },
  { field: 'image', type: 'uuid', meta: { interface: 'file-image', special: ['file'] }, schema: {} },
  text('image_alt'),
  { field: 'date', type: 'dateTime', meta: { interface: 'datetime' }, schema: {} },
  text('author'),
  text('category'),
  { field: 'tags', type: 'json', meta: { interface: 'tags', special: ['cast-json'] }, schema: {} },
  { field: 'rating', type: 'integer', meta: { interface: 'input' }, schema: {} },
  { field: 'featured', type: 'boolean', meta: { interface: 'boolean', special: ['cast-boolean'] }, schema: {} },
  text('layout', { meta: { interface: 'select-dropdown', options: choices('wide', 'narrow') } }),
  { field: 'takeaways', type: 'text', meta: { interface: 'input-rich-text-md' }, schema: {} },
  {
    field: 'badges',
    type: 'json',
    meta: { interface: 'select-multiple-dropdown', special: ['cast-json'], options: choices('new', 'top') },
    schema: {},
  },
]

/** Asks the real Directus that scripts/cms/directus.sh started, as its administrator. */
const ask = async (path: string, body: object): Promise<{ id: string }> => {
  const { DIRECTUS_URL: url = '', DIRECTUS_ADMIN_TOKEN: token = '' } = process.env
  const response = await fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`)
  return (JSON.parse(answer) as { data: { id: string } }).data
}

/** Makes the collection `posts` in the real Directus, and a user whose token may do what the guide asks for. */
export const realDirectus = async (): Promise<{ url: string; token: string }> => {
  const token = crypto.randomUUID()
  await ask('collections', { collection: 'posts', schema: {}, meta: {}, fields: FIELDS })
  await ask('relations', { collection: 'posts', field: 'image', related_collection: 'directus_files' })
  const policy = await ask('policies', {
    name: 'Galley',
    permissions: [
      ...['create', 'read', 'update', 'delete'].map((action) => ({ ...FULL, collection: 'posts', action })),
      ...['create', 'read', 'update'].map((action) => ({ ...FULL, collection: 'directus_files', action })),
      { ...FULL, collection: 'directus_fields', action: 'read' },
    ],
  })
  await ask('users', { email: 'galley@example.com', token, policies: [{ policy: policy.id }] })
  return { url: process.env.DIRECTUS_URL ?? '', token }
}
