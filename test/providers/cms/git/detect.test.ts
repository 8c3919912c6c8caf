import { describe, expect, it } from 'vitest'
import type { Files } from '../../../../local/cms/git-repository.ts'
import { gitConnection } from '../../../../src/providers/cms/git/connect.ts'
import { article } from '../../drive.ts'
import { eachOnItsGithub } from './scene.ts'
import { ASTRO, DOCUSAURUS, ELEVENTY, HUGO, JEKYLL, NEXT } from './sites.ts'

const { restart, cms, fresh, github } = eachOnItsGithub()

const found = async (files: Files, fields: Record<string, unknown> = {}) => {
  await restart({ files })
  const probed = await fresh(fields).probe()
  if (probed.kind !== 'done') throw new Error(probed.reason)
  const { keys = '{}', ...rest } = probed.value.found ?? {}
  return { ...rest, keys: JSON.parse(keys) as Record<string, string> }
}

it.each([
  [
    'Astro',
    ASTRO,
    {
      generator: 'astro',
      branch: 'main',
      path: 'src/content/blog/{slug}.md',
      front_matter:
        "title: 'Title'\ndescription: 'Description'\npubDate: 'Jul 15 2022'\ntags: [blog]\ndraft: false\nlayout: wide\n",
      keys: {
        title: 'title',
        description: 'description',
        date: 'pubDate',
        tags: 'tags',
        draft: 'draft',
        marker: 'galley_post',
      },
      unpublish: 'draft',
      post_url: 'https://shed.example/blog/{slug}/',
    },
  ],
  [
    'Hugo',
    HUGO,
    {
      generator: 'hugo',
      path: 'content/posts/{slug}/index.md',
      front_matter: 'title: Title\ndate: 2026-02-05T10:00:00+02:00\ntags:\n  - wood\n',
      keys: {
        title: 'title',
        description: 'description',
        date: 'date',
        tags: 'tags',
        draft: 'draft',
        marker: 'galley_post',
      },
      unpublish: 'draft',
      post_url: 'https://hugo.example/posts/{slug}/',
    },
  ],
  [
    'Jekyll',
    JEKYLL,
    {
      generator: 'jekyll',
      path: '_posts/{year}-{month}-{day}-{slug}.markdown',
      front_matter: 'layout: post\ntitle:  "Title"\ndate:   2026-02-05 10:00:00 +0000\n',
      keys: {
        title: 'title',
        description: 'description',
        date: 'date',
        tags: 'tags',
        category: 'categories',
        draft: 'published',
        marker: 'galley_post',
      },
      unpublish: 'draft',
      post_url: 'https://jekyll.example/blog/{year}/{month}/{day}/{slug}/',
    },
  ],
  [
    'Docusaurus in a folder',
    DOCUSAURUS,
    {
      generator: 'docusaurus',
      path: 'website/blog/{year}-{month}-{day}-{slug}.md',
      front_matter: 'title: Title\nauthors: [jane]\ntags: []\n',
      unpublish: 'draft',
      post_url: 'https://docs.example/blog/{year}/{month}/{day}/{slug}',
    },
  ],
  [
    'Eleventy',
    ELEVENTY,
    {
      generator: 'eleventy',
      path: 'content/blog/{slug}.md',
      front_matter: 'title: Title\ndescription: Description\ndate: 2026-02-05\ntags:\n  - posts\n',
      unpublish: 'delete',
      post_url: 'https://eleventy.example/blog/{slug}/',
    },
  ],
  [
    'Next.js',
    NEXT,
    {
      generator: 'next',
      path: 'content/posts/{year}/{slug}.mdx',
      front_matter: "title: Title\npublishedAt: '2026-01-05'\nsummary: Description\n",
      keys: { title: 'title', description: 'summary', date: 'publishedAt', image: 'image', marker: 'galley_post' },
      unpublish: 'delete',
      post_url: '',
    },
  ],
])('finds generator, posts and front matter of %s', async (_, files, expected) => {
  expect(await found(files)).toMatchObject(expected)
})

it('is another site for each repository, so that a post of one is never looked for in another', () => {
  const urlOf = (repository: string) => gitConnection.connection({ repository, token: 'github_pat_1' }).url
  expect(urlOf('https://github.com/jane/blog.git')).toBe('https://api.github.com/repos/jane/blog')
  expect(urlOf('jane/other')).not.toBe(urlOf('jane/blog'))
})

it('takes what is given instead of what it finds', async () => {
  const given = {
    path: 'src/content/news/{slug}.mdx',
    front_matter: 'title: T\nkind: news\n',
    keys: { draft: '', marker: '' },
    unpublish: 'delete',
    post_url: 'https://other.example/{slug}',
    generator: 'other',
  }
  expect(await found(ASTRO, given)).toMatchObject({ ...given, keys: { title: 'title', draft: '', marker: '' } })
})

describe('refuses, with a sentence that says what to do,', () => {
  const refusal = async (files: Files, fields: Record<string, unknown> = {}) => {
    await restart({ files })
    return await fresh(fields).probe()
  }
  it.each<[string, Files, Record<string, unknown>, string]>([
    ['a repository without posts', { 'README.md': '# Hi\n' }, {}, 'Send path'],
    [
      'TOML',
      { 'hugo.toml': '', 'content/posts/a.md': '+++\ntitle = "A"\n+++\n' },
      {},
      'TOML and JSON are not supported',
    ],
    ['an unknown branch', ASTRO, { branch: 'next' }, 'no branch “next”'],
    ['drafts without a key', ELEVENTY, { unpublish: 'draft' }, 'keys.draft'],
    ['front matter that is none', ASTRO, { front_matter: 'title: "a' }, 'front_matter cannot be used'],
  ])('%s', async (_name, files, fields, words) => {
    expect(await refusal(files, fields)).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringContaining(words),
    })
  })

  it('a wrong token, and a repository that the token does not see', async () => {
    expect(await fresh({ token: 'github_pat_wrong' }).probe()).toMatchObject({ kind: 'refused', code: 'auth_invalid' })
    github().settings.contents = 'none'
    expect(await fresh().probe()).toMatchObject({
      kind: 'refused',
      code: 'site_not_found',
      reason: expect.stringContaining('Check the name of the repository'),
    })
  })

  it.each([
    [{ repository: 'blog' }, 'repository'],
    [{ repository: 'https://x.example/jane/blog' }, 'host'],
    [{ path: 'blog/post.md' }, 'path'],
    [{ path: '.github/workflows/{slug}.md' }, 'path'],
    [{ path: '../{slug}.md' }, 'path'],
    [{ path: '/blog/{slug}.md' }, 'path'],
    [{ path: 'blog/{slug}.yml' }, 'path'],
    [{ branch: '-f' }, 'branch'],
    [{ post_url: 'javascript:{slug}' }, 'post_url'],
    [{ unpublish: 'hide' }, 'unpublish'],
    [{ keys: { title: 'a: b' } }, 'keys'],
    [{ api_url: 'https://evil.example' }, 'api_url'],
  ])('%j', (wrong, field) => {
    const parsed = gitConnection.fields.safeParse({ repository: 'jane/blog', token: 'github_pat_1', ...wrong })
    expect(parsed.error?.issues[0]?.path[0]).toBe(field)
  })
})

it('writes an article as the posts of each generator are written', async () => {
  const html = '<p>Use {x} &lt; 3 &amp; {{ y }} or {{&lt; z &gt;}}.</p><pre><code>{{ a }} {b}</code></pre>'
  const texts = async (files: Files, path: string) => {
    await restart({ files })
    const made = await cms().create(article({ html, tags: ['wood', 'Tools: old'], title: 'Sheds: <b> & more' }))
    if (made.kind !== 'done') throw new Error(made.reason)
    return [made.value.remoteId, github().repository.read(path)]
  }
  expect(await texts(JEKYLL, '_posts/2026-01-02-how-to-build-a-shed.markdown')).toMatchInlineSnapshot(`
    [
      "_posts/2026-01-02-how-to-build-a-shed.markdown",
      "---
    layout: post
    title:  "Sheds: <⁠b> & more"
    date:   2026-01-02 03:04:05 +0000
    description: Sheds, step by step.
    tags: [wood, "Tools: old"]
    galley_post: galley-00c0ffee-7
    ---

    Use {x} < 3 & {{ "{{" }} y }} or {{ "{{" }}< z >}}.

    \`\`\`
    {{ "{{" }} a }} {b}
    \`\`\`
    ",
    ]
  `)
  expect(await texts(HUGO, 'content/posts/how-to-build-a-shed/index.md')).toMatchInlineSnapshot(`
    [
      "content/posts/how-to-build-a-shed/index.md",
      "---
    title: "Sheds: <b> & more"
    date: 2026-01-02T05:04:05+02:00
    tags:
      - wood
      - "Tools: old"
    description: Sheds, step by step.
    galley_post: galley-00c0ffee-7
    ---

    Use {x} < 3 & {{ y }} or {{⁠< z >}}.

    \`\`\`
    {{ a }} {b}
    \`\`\`
    ",
    ]
  `)
  expect(await texts(DOCUSAURUS, 'website/blog/2026-01-02-how-to-build-a-shed.md')).toMatchInlineSnapshot(`
    [
      "website/blog/2026-01-02-how-to-build-a-shed.md",
      "---
    title: "Sheds: <b> & more"
    authors: [jane]
    tags: [wood, "Tools: old"]
    description: Sheds, step by step.
    galley_post: galley-00c0ffee-7
    ---

    Use \\{x\\} \\< 3 & \\{\\{ y \\}\\} or \\{\\{\\< z >\\}\\}.

    \`\`\`
    {{ a }} {b}
    \`\`\`
    ",
    ]
  `)
  expect(await texts(ELEVENTY, 'content/blog/how-to-build-a-shed.md')).toMatchInlineSnapshot(`
    [
      "content/blog/how-to-build-a-shed.md",
      "---
    title: "Sheds: <⁠b> & more"
    description: Sheds, step by step.
    date: 2026-01-02
    tags:
      - posts
      - wood
      - "Tools: old"
    galley_post: galley-00c0ffee-7
    ---

    Use {x} < 3 & {{ "{{" }} y }} or {{ "{{" }}< z >}}.

    \`\`\`
    {{ "{{" }} a }} {b}
    \`\`\`
    ",
    ]
  `)
  expect(await texts(NEXT, 'content/posts/2026/how-to-build-a-shed.mdx')).toMatchInlineSnapshot(`
    [
      "content/posts/2026/how-to-build-a-shed.mdx",
      "---
    title: "Sheds: <b> & more"
    publishedAt: '2026-01-02'
    summary: Sheds, step by step.
    galley_post: galley-00c0ffee-7
    ---

    Use \\{x\\} \\< 3 & \\{\\{ y \\}\\} or \\{\\{\\< z >\\}\\}.

    \`\`\`
    {{ a }} {b}
    \`\`\`
    ",
    ]
  `)
})

it.each([
  [{ repository: 'jane/blog' }, 'https://api.github.com/repos/jane/blog'],
  [{ repository: 'https://github.com/jane/blog.git' }, 'https://api.github.com/repos/jane/blog'],
  [{ repository: 'git@codeberg.org:jane/blog.git' }, 'https://codeberg.org/api/v1/repos/jane/blog'],
  [{ repository: 'https://gitlab.com/a/b/blog/' }, 'https://gitlab.com/api/v4/projects/a%2Fb%2Fblog'],
  [
    { repository: 'a/b/blog', host: 'gitlab', host_url: 'https://x.example/git' },
    'https://x.example/git/api/v4/projects/a%2Fb%2Fblog',
  ],
  [{ repository: 'https://x.example/jane/blog' }, 'host: must say which software'],
  [{ repository: 'https://x.example/jane/blog', host: 'gitea' }, 'https://x.example/api/v1/repos/jane/blog'],
  [{ repository: 'jane/blog', host: 'github', host_url: 'https://x.example' }, 'host: is github'],
  [{ repository: '../..', host: 'gitea' }, 'repository: must be a repository'],
])('takes %j as %s', (given, expected) => {
  const parsed = gitConnection.fields.safeParse({ token: 'a-token', ...given })
  const [issue] = parsed.error?.issues ?? []
  const found = issue
    ? `${issue.path.join('.')}: ${issue.message}`
    : gitConnection.connection({ token: 'a-token', ...given }).url
  expect(found.slice(0, expected.length)).toBe(expected)
})
