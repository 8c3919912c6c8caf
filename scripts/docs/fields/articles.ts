import type { Words } from './word.ts'

const KEYWORD = 'Search term that the article targets.'
const ARTICLE_STYLE = 'Type of article. It sets the target length in the brief.'

/** Words for the parts of an article that readers or search engines see. */
const READER: Words = {
  content:
    'HTML of the body, without `html`, `head`, `body` and `h1`, at most 64 elements deep. Unsafe parts are removed and listed in `removed`. The service hosts `data:` images.',
  content_format: [
    'Format of `content`. `markdown` is converted to HTML: CommonMark with tables, strikethrough, footnotes, task lists and bare URLs. Front matter is removed.',
    '`html`',
  ],
  title: 'Title of the article.',
  meta_description:
    'Text that search results show below the title. 70 to 160 characters are recommended. Empty or null clears it.',
  feature_image: 'URL of the feature image. Empty or null clears it.',
  alt_text: 'Alternative text of the feature image. Empty or null clears it.',
  category: 'Category in the blog. Empty or null clears it.',
  tags: 'Tags: a list, or text separated by commas or line breaks. Empty or null clears them.',
  seo_title:
    'Title for search results, if it differs from the title. Sent to platforms that support it. Empty or null clears it.',
  canonical_url: 'URL where the text was first published. Sent to platforms that support it. Empty or null clears it.',
}

const PLANNING: Words = {
  status:
    '`Planned` adds the article to the calendar: it is published on `scheduled_date`. `Draft` removes it from the calendar.',
  scheduled_date:
    'Publication time, ISO 8601. With an offset or `Z`: that exact time. Without one: local time in the project’s time zone. A date alone: that day at `publish_time`. Empty or null clears the date, and `Planned` becomes `Draft`.',
  article_style: ARTICLE_STYLE,
  published_at: 'Past date that readers see instead of the day of publication. Empty or null clears it.',
  instructions: 'Instructions to the writer for this article. Empty or null clears them.',
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
  meta_description: 'empty; if published unclaimed, the first sentences',
  feature_image: 'none',
  alt_text: 'empty',
  category: 'none',
  tags: 'none',
  seo_title: 'the title',
  canonical_url: 'the article’s own URL',
  status: '`Draft`',
  scheduled_date: 'none',
  article_style: '`Informative`',
  published_at: 'the day of publication',
  instructions: 'empty',
}

export const ARTICLE_FIELDS: Readonly<Record<string, Words>> = {
  'articles.list': {
    project_id: ['Returns only articles of this project.', 'all projects of the account'],
    status: ['Returns only articles with these statuses, separated by commas.', 'all'],
    publish_state: [
      'Returns only articles with these states, separated by commas. `failed,unknown` finds those that need attention.',
      'all',
    ],
    external_ref: ['Returns only the article with this id of yours, or one in each project that has it.', 'all'],
    updated_after: ['Returns only articles changed at or after this time.', 'all'],
    scheduled_after: [
      'Returns only articles planned at or after this time. A date alone is the start of that day.',
      'all',
    ],
    scheduled_before: [
      'Returns only articles planned at or before this time. A date alone includes the whole day.',
      'all',
    ],
    q: ['Returns only articles with this text in the title or keyword. Case does not matter.', 'all'],
  },
  'articles.create': {
    project_id: 'ID of the project of the article.',
    keyword: `${KEYWORD} The slug is made from it.`,
    slug: [
      'Last part of the URL. Converted to ASCII by the rules of the project’s language. If it is taken, `-2` is added.',
      'made from the keyword, otherwise from the title',
    ],
    external_ref: [
      'Your own id of the article, such as the path of its file, unique in the project. If an article has it, the answer is 200 with that article, and nothing changes. A deletion frees it.',
      'none',
    ],
    ...optional({ ...READER, ...PLANNING }, NEW),
  },
  'articles.update': {
    keyword: `${KEYWORD} Until publication, a new keyword also changes the slug, unless you chose the slug.`,
    slug: 'Last part of the URL, converted to ASCII. It does not change with the keyword. `""`: it follows the keyword again.',
    ...READER,
    ...PLANNING,
    sync: ['True: also changes a published article, and sends the change to its target.', '`false`'],
  },
  'articles.generate': {
    project_id: 'ID of the project of the article.',
    keyword: KEYWORD,
    source_content: 'Your notes. The article states only what is in them.',
    instructions: ['Instructions to the writer for this article.', 'the project’s own instructions'],
    title: ['Title of the article.', 'the keyword'],
    article_style: ['Type of article.', '`Informative`'],
  },
  'articles.sync': READER,
  'articles.restore': {
    sync: ['True: also restores a published article, and sends it to its target.', '`false`'],
  },
  'articles.address': { url: 'Public URL of the post.' },
  'articles.rollback': { version_id: ['ID of the kept version of the post to restore.', 'the latest kept version'] },
}
