import type { Stack } from '../stack.ts'

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Post of the old blog. Its slug is one of the pages of which the sample's search data have something to say. */
type OldPost = {
  slug: string
  title: string
  date: string
  description: string
  /** Paragraphs, and a picture without words. */
  content: readonly (string | 'picture')[]
}

/** Each post has something that the care report finds: in search, in its title, its description or its pictures. */
const POSTS: readonly OldPost[] = [
  {
    // Search data: it loses readers.
    slug: 'shed-ventilation',
    title: 'How we air our sheds',
    date: '2021-03-12T09:00:00',
    description: 'Two small grilles keep a shed dry all year.',
    content: [
      'A shed breathes through two grilles: one low on the side of the wind, one high on the other side. Since we cut them into every wall, no tool has rusted.',
      'A garden shed costs 1,450 euros with us, and the grilles are included.',
    ],
  },
  {
    // Search data: two posts for one query.
    slug: 'shed-foundations',
    title: 'What a shed stands on',
    date: '2020-05-02T09:00:00',
    description: 'Slabs, screws or concrete, and when each is enough.',
    content: [
      'Slabs on sand carry most sheds. Dig out the turf, fill in gravel and sand, and check every slab with a level.',
      'Concrete is for heavy machines, and screws are for a slope.',
    ],
  },
  {
    slug: 'foundations-for-sheds',
    title: 'Foundations for sheds, compared once more',
    date: '2022-04-21T09:00:00',
    description: 'We built the same shed on three foundations, and looked again after a winter.',
    content: [
      'After one winter the slabs had moved by two millimetres, the screws by four, and the concrete not at all.',
      'For a shed of six square metres we would take the slabs again.',
    ],
  },
  {
    // A past year in its title. Search data: it has no readers any more.
    slug: 'shed-moving',
    title: 'The best ways to move a shed in 2019',
    date: '2019-08-17T09:00:00',
    description: 'Rollers, a trailer, or in parts: how a shed gets to another garden.',
    content: [
      'A small shed rolls on three round posts: the last one is carried to the front again and again.',
      'A larger one is taken apart. Number every board with chalk, on the side that nobody sees.',
    ],
  },
  {
    // No description.
    slug: 'shed-doors',
    title: 'A door that does not sag',
    date: '2020-10-04T09:00:00',
    description: '',
    content: [
      'A door sags when its brace runs the wrong way: it must lead from the lower hinge up to the handle.',
      'Two screws a hinge are too few. Take four, and oil them once a year.',
    ],
  },
  {
    // A picture without words.
    slug: 'shed-windows',
    title: 'Windows from an old greenhouse',
    date: '2021-09-26T09:00:00',
    description: 'How panes of a greenhouse became windows of a shed.',
    content: [
      'The panes were free, and the frames took a weekend. Cut them a finger larger than the glass, because wood works.',
      'picture',
    ],
  },
  {
    slug: 'open-day',
    title: 'Open day in May',
    date: '2022-05-01T09:00:00',
    description: 'Come and see three sheds from the inside.',
    content: ['We open the gate at ten, and there is cake as long as it lasts.'],
  },
]

/** Slug of the post that nobody looks after yet. */
const LEFT = 'open-day'

const block = (url: string, part: string): string =>
  part === 'picture'
    ? `<!-- wp:image -->\n<figure class="wp-block-image"><img src="${url}/_image.png" alt=""/></figure>\n<!-- /wp:image -->`
    : `<!-- wp:paragraph -->\n<p>${part}</p>\n<!-- /wp:paragraph -->`

/** Writes the posts at the old blog as its administrator, unless they are there from an earlier sample. */
const writePosts = async ({ blog }: Stack): Promise<void> => {
  if (blog.posts().length > 0) return
  for (const { slug, title, date, description, content } of POSTS) {
    const response = await fetch(`${blog.url}/wp-json/wp/v2/posts`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${blog.passwordOf('admin')}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        status: 'publish',
        slug,
        title,
        date_gmt: date,
        excerpt: description,
        content: content.map((part) => block(blog.url, part)).join('\n\n'),
      }),
    })
    if (!response.ok) throw new Error(`the old blog refused a post: ${response.status} ${await response.text()}`)
  }
}

type Listed = { post_id: string; title: string }

const titleOf = (slug: string): string => POSTS.find((post) => post.slug === slug)?.title ?? ''

/** Adopts all posts but one, and returns the ids of their articles by title. */
const adoptPosts = async (call: Call, project: number): Promise<Map<string, unknown>> => {
  const { posts } = await call('GET', `/projects/${project}/site-posts`)
  const adopted = new Map<string, unknown>()
  for (const { post_id, title } of posts as Listed[]) {
    if (title === titleOf(LEFT)) continue
    const { article_id: id } = await call('POST', '/articles/adopt', { project_id: project, post_id })
    adopted.set(title, id)
  }
  return adopted
}

/** Makes a set of changes that mend three posts. A person approves and releases it. */
const changePosts = async (call: Call, project: number, adopted: Map<string, unknown>): Promise<void> => {
  const idOf = (slug: string) => adopted.get(titleOf(slug))
  const { Content: content } = await call('GET', `/articles/${idOf('shed-ventilation')}`)
  await call('POST', '/changes', {
    project_id: project,
    name: 'The new price, an old year and a missing description',
    changes: [
      { article_id: idOf('shed-ventilation'), content: String(content).replace('1,450', '1,600') },
      { article_id: idOf('shed-moving'), title: 'The best ways to move a shed' },
      { article_id: idOf('shed-doors'), meta_description: 'Why the door of a shed sags, and how a brace holds it up.' },
    ],
  })
}

/** Makes the project of the old blog: a WordPress with posts from before, of which all but one are adopted. Returns its id. */
export const makeOldBlog = async (call: Call, stack: Stack): Promise<number> => {
  const { blog } = stack
  const [{ project_id: id }] = await Promise.all([
    call('POST', '/projects', {
      website_url: blog.url,
      business_name: 'Garden Room, the old blog',
      business_description: 'What we wrote about sheds before the shop had its present site.',
    }),
    writePosts(stack),
  ])
  const project = Number(id)
  await call('POST', `/projects/${project}/integrations`, {
    platform: 'wordpress',
    cms_url: blog.url,
    cms_username: 'admin',
    integration_key: blog.passwordOf('admin'),
  })
  await changePosts(call, project, await adoptPosts(call, project))
  return project
}
