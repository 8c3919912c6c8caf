import type { Files } from '../../../../local/cms/git-repository.ts'

const post = (lines: readonly string[], body = 'Words of a post.'): string =>
  ['---', ...lines, '---', '', body, ''].join('\n')

/** A blog made with Astro, as its starter makes it: two posts, with drafts that its code leaves out. */
export const ASTRO: Files = {
  'package.json': '{"name": "blog"}\n',
  'astro.config.mjs': "export default defineConfig({ site: 'https://shed.example', integrations: [mdx()] })\n",
  'README.md': '# My blog\n',
  'src/pages/blog/[...slug].astro': '---\n---\n',
  'src/pages/about.md': post(["title: 'About'"]),
  'src/content/blog/first-post.md': post([
    '# A note of Jane',
    "title: 'First post'",
    "description: 'Lorem: ipsum'",
    "pubDate: 'Jul 08 2022'",
    "heroImage: '../../assets/one.jpg'",
    'tags: [blog, wood]',
    'draft: false',
    'layout: wide',
  ]),
  'src/content/blog/second-post.md': post([
    "title: 'Second post'",
    "description: 'Dolor sit'",
    "pubDate: 'Jul 15 2022'",
    'tags: [blog]',
    'draft: false',
    'layout: wide',
    'featured: true',
  ]),
}

export const HUGO: Files = {
  'hugo.toml': "baseURL = 'https://hugo.example/'\nlanguageCode = 'en'\n",
  'archetypes/default.md': '---\ntitle: "{{ .Name }}"\n---\n',
  'content/_index.md': post(['title: Home']),
  'content/posts/_index.md': post(['title: Posts']),
  'content/posts/one/index.md': post(['title: One', 'date: 2026-01-05T10:00:00+02:00', 'tags:', '  - wood']),
  'content/posts/two/index.md': post([
    'title: Two',
    'date: 2026-02-05T10:00:00+02:00',
    'tags:',
    '  - wood',
    'params:',
    '  wide: true',
  ]),
}

export const JEKYLL: Files = {
  '_config.yml': 'url: "https://jekyll.example"\nbaseurl: "/blog"\npermalink: pretty\n',
  '_posts/2026-01-05-one.markdown': post([
    'layout: post',
    'title:  "One"',
    'date:   2026-01-05 10:00:00 +0000',
    'categories: jekyll update',
  ]),
  '_posts/2026-02-05-two.markdown': post([
    'layout: post',
    'title:  "Two"',
    'date:   2026-02-05 10:00:00 +0000',
    'categories: jekyll',
  ]),
}

export const DOCUSAURUS: Files = {
  'website/docusaurus.config.ts': "const config = { url: 'https://docs.example', baseUrl: '/' }\n",
  'website/docs/intro.md': post(['title: Intro']),
  'website/blog/2026-01-31-one.md': post(['title: One', 'authors: [jane]', 'tags: [wood]']),
  'website/blog/2026-02-31-two.md': post(['title: Two', 'authors: [jane]', 'tags: [tools]']),
}

export const ELEVENTY: Files = {
  'eleventy.config.js': 'export default function () {}\n',
  CNAME: 'eleventy.example\n',
  'content/blog/blog.11tydata.js': 'export default { tags: ["posts"] }\n',
  'content/blog/one.md': post([
    'title: One',
    'description: First',
    'date: 2026-01-05',
    'tags:',
    '  - posts',
    '  - wood',
  ]),
  'content/blog/two.md': post(['title: Two', 'description: Second', 'date: 2026-02-05', 'tags:', '  - posts']),
}

export const NEXT: Files = {
  'next.config.mjs': 'export default {}\n',
  'app/writing/[slug]/page.tsx': 'export default function Page() {}\n',
  'content/posts/2025/one.mdx': post([
    'title: One',
    "publishedAt: '2025-01-05'",
    'summary: First',
    "image: 'https://images.example/a.png'",
  ]),
  'content/posts/2026/two.mdx': post([
    'title: Two',
    "publishedAt: '2026-01-05'",
    'summary: Second',
    "image: 'https://images.example/b.png'",
  ]),
}
