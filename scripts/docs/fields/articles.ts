import type { Words } from './word.ts'

/** Words for the parts of an article that readers or search engines see. */
const READER: Words = {
  content:
    'HTML of the body, without `html`, `head`, `body` and `h1`; at most 64 elements deep. What is not safe is taken out and named in `removed`; `data:` images are hosted',
  content_format: [
    'how `content` is written: `markdown` (CommonMark, with tables, strikethrough, footnotes, tasks and bare addresses) is made HTML; front matter is cut off',
    '`html`',
  ],
  title: 'the title',
  meta_description: 'what search results show below the title; 70 to 160 characters are good; empty or null clears',
  feature_image: 'address of the picture at its head; empty or null clears',
  alt_text: 'what the feature image shows, for those who do not see it; empty or null clears',
  category: 'one category of the blog; empty or null clears',
  tags: 'a list, or text with commas or line ends; empty or null clears',
  seo_title:
    'a title for search results, where it differs; sent where the platform has a place for it; empty or null clears',
  canonical_url: 'where the text first stood; empty or null clears. Sent where the platform has a place for it',
}

const PLANNING: Words = {
  status: '`Planned` gives it a place in the calendar: it goes out on `scheduled_date`; `Draft` takes it out',
  scheduled_date:
    'when it goes out, ISO 8601. With an offset or `Z` that instant; without, wall time in the project’s zone; a date alone is that day at `publish_time`. Empty or null unschedules, and `Planned` becomes `Draft`',
  article_style: 'the kind of article; it decides how long the brief asks for',
  published_at: 'a past date that readers see in place of the day it goes out; empty or null clears',
  instructions: 'instructions to the writer for this article; empty or null clears',
}

const optional = (words: Words, otherwise: Readonly<Record<string, string>>): Words =>
  Object.fromEntries(
    Object.entries(words).map(([name, word]) => [
      name,
      typeof word === 'string' && otherwise[name] !== undefined ? [word, otherwise[name]] : word,
    ]),
  )

const NEW = {
  content: 'empty',
  title: 'the keyword',
  meta_description: 'empty; the first sentences when it is published unclaimed',
  feature_image: 'none',
  alt_text: 'empty',
  category: 'none',
  tags: 'none',
  seo_title: 'the title',
  canonical_url: 'its own address',
  status: '`Draft`',
  scheduled_date: 'none',
  article_style: '`Informative`',
  published_at: 'the day it goes out',
  instructions: 'empty',
}

export const ARTICLE_FIELDS: Readonly<Record<string, Words>> = {
  'articles.list': {
    project_id: ['only this project’s', 'all projects of the account'],
    status: ['only these states, with commas between them', 'all'],
    publish_state: ['only these, with commas between them: `failed,unknown` are those to look at', 'all'],
    updated_after: ['only what was changed at or after this time', 'all'],
    scheduled_after: ['only what is planned at or after this time; a date alone is its first moment', 'all'],
    scheduled_before: ['only what is planned up to this time; a date alone is its whole day', 'all'],
    q: ['only what has this text in its title or keyword, in any case', 'all'],
  },
  'articles.create': {
    project_id: 'the project it belongs to',
    keyword: 'what people search for who should find it; the slug is made from it',
    slug: [
      'the last part of its address, made ASCII as the project’s language is written in Latin letters; one that is taken gets `-2`',
      'made of the keyword, else of the title',
    ],
    ...optional({ ...READER, ...PLANNING }, NEW),
  },
  'articles.update': {
    keyword: 'what people search for; changes the slug until the article is published, unless you chose it',
    slug: 'the last part of its address, made ASCII; it stays when the keyword changes. `""`: it follows the keyword again',
    ...READER,
    ...PLANNING,
    sync: ['true: of a published article, too, and the change is sent to its target', '`false`'],
  },
  'articles.generate': {
    project_id: 'the project it belongs to',
    keyword: 'what people search for who should find it',
    source_content: 'your notes: everything the article may state. What is not in them is not written',
    instructions: ['how to write this one', 'the project’s own instructions'],
    title: ['the title', 'the keyword'],
    article_style: ['the kind of article', '`Informative`'],
  },
  'articles.sync': READER,
  'articles.restore': { sync: ['true: of a published article, too, and it is sent to its target', '`false`'] },
  'articles.address': { url: 'where readers find the post' },
  'articles.rollback': { version_id: ['which of the kept versions of the post', 'the latest kept one'] },
}
