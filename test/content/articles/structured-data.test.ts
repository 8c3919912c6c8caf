import { expect, inject, it } from 'vitest'
import { scriptOf, thingsInText } from '../../../src/content/seo/structured-data.ts'
import { newAccount, newArticle, newProject } from '../../support/client.ts'

const stack = inject('stack')

type Things = ReturnType<typeof thingsInText>

const named = (things: Things) => things.map((thing) => thing['@type'])

const questionsOf = (content: string) =>
  thingsInText({ title: 'Sheds', content }).flatMap((thing) =>
    thing['@type'] === 'FAQPage'
      ? (thing.mainEntity as unknown as { name: string; acceptedAnswer: { text: string } }[]).map(
          ({ name, acceptedAnswer }) => [name, acceptedAnswer.text],
        )
      : [],
  )

it('an article is described with its site, its place and what its text says', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api, {
    business_name: 'Shed & Sons',
    language: 'German',
    blog_root_url: 'https://sheds.example/blog',
    custom_author_name: 'Ada Woods',
  })
  const article = await newArticle(api, project, {
    title: 'How to oil a </script> shed',
    meta_description: 'Oil it well.',
    tags: ['oil', 'oak'],
    category: 'Care',
    content: `<h2>Step 1: Sand</h2><p>Sand the wood.</p><h2>Step 2: Oil</h2><p>Use <b>linseed</b> oil.</p>
      <h2>Questions</h2><h3>How often?</h3><p>Twice a year.</p><h3>Which oil?</h3><p>Linseed.</p><ul><li>Never palm oil.</li></ul>`,
  })
  const { status, body, text } = await api.get(`/articles/${article}/structured-data`)
  expect(status, text).toBe(200)
  expect(body.types).toEqual(['BlogPosting', 'BreadcrumbList', 'FAQPage', 'HowTo'])
  const organization = { '@type': 'Organization', name: 'Shed & Sons', url: expect.stringContaining('https://') }
  expect(body.structured_data).toMatchObject({
    '@context': 'https://schema.org',
    '@graph': [
      {
        headline: 'How to oil a </script> shed',
        description: 'Oil it well.',
        author: { '@type': 'Person', name: 'Ada Woods' },
        publisher: organization,
        inLanguage: 'de',
        articleSection: 'Care',
        keywords: ['oil', 'oak'],
      },
      {
        itemListElement: [
          { position: 1, name: 'Shed & Sons' },
          { position: 2, item: 'https://sheds.example/blog' },
          { position: 3, name: 'How to oil a </script> shed' },
        ],
      },
      {
        mainEntity: [
          { name: 'How often?', acceptedAnswer: { text: 'Twice a year.' } },
          { name: 'Which oil?', acceptedAnswer: { text: 'Linseed. Never palm oil.' } },
        ],
      },
      {
        name: 'How to oil a </script> shed',
        step: [
          { position: 1, name: 'Sand', text: 'Sand the wood.' },
          { position: 2, name: 'Oil', text: 'Use linseed oil.' },
        ],
      },
    ],
  })
  // Not published and without a picture: neither a date nor an image is made up.
  const graph = (body.structured_data as { '@graph': object[] })['@graph']
  expect(graph[0]).not.toHaveProperty('datePublished')
  expect(graph[0]).not.toHaveProperty('image')
  const script = String(body.script)
  expect(script.match(/<\/script>/g)).toHaveLength(1)
  expect(JSON.parse(script.replace(/^<script[^>]*>|<\/script>$/g, ''))).toEqual(body.structured_data)
})

it.each<[what: string, content: string, types: string[]]>([
  ['one question', '<h2>What is oak?</h2><p>A tree.</p><h2>Care</h2><p>Oil it.</p>', []],
  ['questions without answers', '<h2>What is oak?</h2><h2>Why oak?</h2>', []],
  ['questions in other scripts', '<h2>什么是橡木？</h2><p>树。</p><h2>ما هو البلوط؟</h2><p>شجرة.</p>', ['FAQPage']],
  [
    'questions in Greek',
    '<h2>Τι είναι η βελανιδιά;</h2><p>Δέντρο.</p><h2>Πόσο κοστίζει;</h2><p>Πολύ.</p>',
    ['FAQPage'],
  ],
  ['a semicolon elsewhere', '<h2>Oak;</h2><p>A tree.</p><h2>Ash;</h2><p>A tree.</p>', []],
  ['hidden questions', '<div style="display:none"><h2>A?</h2><p>B</p><h2>C?</h2><p>D</p></div>', []],
  ['steps in German', '<h3>Schritt 1: Sägen</h3><p>So.</p><h3>Schritt 2: Ölen</h3><p>So.</p>', ['HowTo']],
  ['steps in Chinese', '<h3>第1步：锯</h3><p>锯木。</p><h3>第2步：涂油</h3><p>涂。</p>', ['HowTo']],
  ['steps in Korean', '<h3>1단계: 자르기</h3><p>자른다.</p><h3>2단계: 기름칠</h3><p>바른다.</p>', ['HowTo']],
  ['a list of the best', '<h2>1. Oak</h2><p>Good.</p><h2>2. Ash</h2><p>Good.</p>', []],
  ['steps with a gap', '<h2>Step 1</h2><p>So.</p><h2>Step 3</h2><p>So.</p>', []],
  ['steps twice', '<h2>Step 1</h2><p>A</p><h2>Step 2</h2><p>B</p><h2>Step 1</h2><p>C</p>', []],
])('of %s: the types %s', (_, content, types) => {
  expect(named(thingsInText({ title: 'Sheds', content }))).toEqual(types)
})

it('an answer goes on to the next heading of its level, with its own parts', () => {
  expect(
    questionsOf('<h2>A?</h2><p>One.</p><h3>Part</h3><p>Two.</p><h2>B?</h2><p>Three.</p><h1>Top</h1><p>Four.</p>'),
  ).toEqual([
    ['A?', 'One. Part Two.'],
    ['B?', 'Three.'],
  ])
})

it('a text without end costs its size', () => {
  const content = '<h2>Why?</h2><p>Because.</p>'.repeat(20_000)
  expect(questionsOf(content)).toHaveLength(50)
})

it('no text ends the script element', () => {
  expect(scriptOf({ a: '</script><!--<script>' })).toBe(
    '<script type="application/ld+json" id="article-structured-data">{"a":"\\u003c/script>\\u003c!--\\u003cscript>"}</script>',
  )
})
