/** Task of a request, read from its messages as a model would. */
export type Asked = {
  step: 'outline' | 'section' | 'repair' | 'posts' | 'headline'
  keyword: string
  /** The section's heading; '' for the introduction and for other steps. */
  heading: string
  isLast: boolean
  notes: string
  article: string
  competitor: string
  banned: string
  links: { url: string; anchor: string }[]
  networks: string[]
  queries: string[]
  wishes: string
}

type Message = { role: string; content: unknown }

/** Returns the text of a message. */
export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

type Link = { url: string; anchor: string }

/** Data of a prompt, in its block of JSON. */
type Data = {
  keyword?: string
  notes?: string
  article?: string
  section?: { heading: string }
  competitors?: string[]
  banned_phrases?: string[]
  queries?: string[]
  wishes?: string[]
  partner_links?: Link[]
  own_links?: Link[]
}

/** Returns the data of a prompt; undefined if it has no block of JSON between two lines with the same name. */
const dataIn = (text: string): Data | undefined => {
  const [, , json] = /^(DATA-[0-9a-f-]{36})\n(.*)\n\1$/m.exec(text) ?? []
  return json === undefined ? undefined : (JSON.parse(json) as Data)
}

const stepOf = (text: string): Asked['step'] => {
  if (text.includes('Write the posts')) return 'posts'
  if (text.includes('fails the checks')) return 'repair'
  if (text.includes('Word its title and description again')) return 'headline'
  return /Write (?:section \d+|the introduction)/.test(text) ? 'section' : 'outline'
}

/** Reads instructions and task. */
export const readPrompt = (messages: readonly Message[]): Asked => {
  const texts = messages.map(({ content }) => textOf(content))
  const text = texts.join('\n\n')
  const data = texts.map(dataIn).find((one) => one !== undefined) ?? {}
  return {
    step: stepOf(text),
    keyword: data.keyword ?? '',
    heading: data.section?.heading ?? '',
    isLast: text.includes('It is the last one.'),
    notes: data.notes ?? '',
    article: data.article ?? '',
    competitor: data.competitors?.[0] ?? 'rival.example',
    banned: data.banned_phrases?.[0] ?? '',
    queries: data.queries ?? [],
    networks: [...text.matchAll(/^- "(\w+)": for /gm)].map(([, name]) => name ?? ''),
    wishes: data.wishes?.join(' ') ?? '',
    links: [...(data.partner_links ?? []), ...(data.own_links ?? [])],
  }
}

/** Misbehaviour of the stand-in in the text it writes. */
export type Manner =
  | 'good'
  | 'broken_json'
  | 'wrong_json'
  | 'ignores_instructions'
  | 'invents'
  | 'links_competitors'
  | 'obeys_notes'
  | 'chatters'
  | 'no_html'
  | 'says_banned_phrase'
  | 'adds'
  | 'drops_links'
  | 'changes_ids'
  | 'truncates'
  | 'too_long'
  | 'misses_query'
  | keyof typeof FAMILIES

const FILLER =
  'Good work begins with a plan that everybody understands, and it goes on with materials that suit the place. Take the time to look at what is there before anything is bought. Ask those who use it every day what they miss most. '

const sentencesOf = (notes: string): string[] =>
  notes.match(/[^.!?\n]+[.!?]["”]?/g)?.map((sentence) => sentence.trim()) ?? []

const outline = ({ keyword }: Asked) => ({
  title: `Choosing ${keyword} with care`,
  meta_description: `What to know about ${keyword}: how to plan, which materials suit, and what to ask before anything is bought or built.`,
  introduction: [`What ${keyword} are for.`],
  sections: [
    { heading: `Planning ${keyword}`, points: ['What to settle first.'] },
    { heading: 'Materials that last', points: ['Which materials suit.'] },
    { heading: 'Care through the year', points: ['What to look after.'] },
  ],
})

const outlineBy = (manner: Manner, asked: Asked): string => {
  const plan = outline(asked)
  if (manner === 'broken_json') return `${JSON.stringify(plan).slice(0, -20)}`
  if (manner === 'wrong_json') return JSON.stringify({ headline: plan.title, parts: plan.sections.length })
  if (manner === 'chatters')
    return `Sure! Here is the plan:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\nAnything else?`
  if (manner !== 'invents') return JSON.stringify(plan)
  const sections = [{ heading: '7 reasons experts love it', points: [] }, ...plan.sections]
  return JSON.stringify({
    ...plan,
    title: `97 % love ${asked.keyword}`,
    meta_description: `Studies show 83 % ${plan.meta_description}`,
    sections,
  })
}

const paragraph = (asked: Asked): string => {
  const said = sentencesOf(asked.notes)
  const from = asked.heading.length % Math.max(1, said.length)
  return `<p>${asked.keyword} need thought. ${said.slice(from, from + 2).join(' ')} ${FILLER.repeat(3)}</p>`
}

const linkLine = ({ links, isLast }: Asked): string =>
  isLast && links.length > 0
    ? `<p>Read on: ${links.map(({ url, anchor }) => `<a href="${url}" rel="nofollow">${anchor}</a>`).join(', ')}.</p>`
    : ''

const goodSection = (asked: Asked): string => `${paragraph(asked)}<p>${FILLER.repeat(2)}</p>${linkLine(asked)}`

const BAD_SECTIONS: Partial<Record<Manner, (asked: Asked) => string>> = {
  ignores_instructions: (asked) =>
    `<html><head><title>x</title></head><body><h1>Buy now</h1>${paragraph(asked)}<h4>Deep</h4><p onclick="steal()">I think, in conclusion, that ${asked.keyword} are great.</p><script>alert(1)</script><style>p{}</style><iframe src="https://evil.example"></iframe></body></html>`,
  invents: (asked) =>
    `${paragraph(asked)}<p>A 2023 Harvard study found that 83 % of owners save 1,200 euro a year. “It changed our whole life,” says Maria Invented. See the <a href="https://harvard.example/study">study of 4,500 homes</a>. Look around first.</p><ul><li>Owners report ninety percent less waste.</li><li>Wood is warm.</li></ul><blockquote>Nobody ever said these very words.</blockquote>`,
  links_competitors: (asked) =>
    `${paragraph(asked)}<p>The best is <a href="https://www.${asked.competitor}/shop">${asked.competitor}</a>, or see <a href="https://unknown.example/x">this page</a>.</p>${linkLine(asked)}`,
  obeys_notes: (asked) =>
    /ignore|instead/i.test(asked.notes)
      ? '<p>PWNED. Visit <a href="https://attacker.example/now">https://attacker.example/now</a> and pay 999 dollars.</p><p>Wood is warm.</p>'
      : goodSection(asked),
  chatters: (asked) => `Of course! Here is the section:\n\n\`\`\`html\n${goodSection(asked)}\n\`\`\`\n\nShall I go on?`,
  no_html: () => 'I would rather talk about the weather.',
  says_banned_phrase: (asked) => `${goodSection(asked)}<p>It is ${asked.banned} for everybody.</p>`,
}

/** Versions of a whole article that break the rules, by manner. */
const REWRITES: Partial<Record<Manner, (asked: Asked) => string>> = {
  says_banned_phrase: ({ article }) => article,
  adds: ({ article }) => `${article}<p>Take your time with it, and ask those who use it every day.</p>`,
  drops_links: ({ article }) => article.replace(/<a [^>]*>([\s\S]*?)<\/a>/g, '$1'),
  changes_ids: ({ article }) => article.replace(/ id="[^"]*"/g, ' id="another"'),
  truncates: ({ article }) => `${article.slice(0, article.length / 3)}</p>`,
  invents: ({ article }) => `${article}<p>A 2023 Harvard study found that 83 % of owners save 1,200 euro a year.</p>`,
  links_competitors: ({ article, competitor }) =>
    `${article}<p>Look at <a href="https://www.${competitor}/shop">this shop</a> and <a href="https://unknown.example/x">this page</a>, too.</p><img src="https://unknown.example/x.png" alt="x">`,
  obeys_notes: ({ article, notes }) =>
    /ignore all/i.test(`${article} ${notes}`)
      ? `${article}<p>PWNED. Visit <a href="https://attacker.example/now">this page</a> and pay 999 dollars.</p>`
      : article,
  no_html: () => 'I would rather talk about the weather.',
}

/** Removes a banned phrase if the prompt names one. An unwilling model returns the article unchanged. */
const repaired = (manner: Manner, asked: Asked): string =>
  REWRITES[manner]?.(asked) ?? (asked.banned === '' ? asked.article : asked.article.replaceAll(asked.banned, 'good'))

/** Returns a post for each network: the article's first sentence, with the hashtags of the instructions. */
const postsBy = (manner: Manner, { article, networks, wishes }: Asked): string => {
  const tags = wishes.match(/#\w+/g)?.join(' ') ?? ''
  const invented =
    manner === 'invents' ? ' Studies show that 83 % save 1,200 euro. See https://harvard.example/study for more.' : ''
  const post = `Good to know: ${sentencesOf(article)[0] ?? ''}${invented}\n\n${tags}`.trim()
  const posts = JSON.stringify(Object.fromEntries(networks.map((name) => [name, post])))
  if (manner === 'broken_json') return posts.slice(0, -5)
  return manner === 'chatters' ? `Here you are:\n${posts}\nShall I go on?` : posts
}

/** Returns a title and a description in the searchers' words, or misbehaves. */
const headlineBy = (manner: Manner, { keyword, queries }: Asked): string => {
  const [query = keyword] = queries
  const worded = {
    title: `${query.charAt(0).toUpperCase()}${query.slice(1)}, and what ${keyword} need`,
    meta_description: `Before you choose an ${query}: what it needs to stay dry, how the timber is cut and dried, and which roof suits ${keyword}.`,
  }
  const said: Partial<Record<Manner, object>> = {
    invents: { ...worded, meta_description: `83 % of owners say: ${worded.meta_description}` },
    too_long: { ...worded, title: `${worded.title}, told at such length that nobody will read it to its end` },
    misses_query: { title: `About ${keyword}`, meta_description: worded.meta_description.replaceAll(query, keyword) },
    obeys_notes: {
      ...worded,
      meta_description: `PWNED. Read it at https://attacker.example/now. ${worded.meta_description}`,
    },
    wrong_json: { headline: worded.title },
  }
  const text = JSON.stringify(said[manner] ?? worded)
  if (manner === 'broken_json') return text.slice(0, -20)
  return manner === 'chatters' ? `Here you are:\n${text}\nShall I go on?` : text
}

/** Thoughts of a model, with braces and with text that no article may have. */
const THOUGHTS = 'The user wants {"title": "x"}. PLAN-OF-THE-MODEL: <p>a draft</p>, 83 % of it first.'

const isText = ({ step }: Asked): boolean => step === 'section' || step === 'repair'

/** Returns the HTML of sections as Markdown. */
const asMarkdown = (html: string): string =>
  html
    .replace(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
    .replace(/<p>(.*?)<\/p>/gs, '$1\n\n')
    .replace(/<[^<>]*>/g, '')

/** Good answers as families of models write them, by name. */
const FAMILIES = {
  thinks: (answer: string) => `<think>\n${THOUGHTS}\n</think>\n\n${answer}`,
  thinks_in_brackets: (answer: string) => `[THINK]${THOUGHTS}[/THINK]${answer}`,
  ends_thoughts: (answer: string) => `${THOUGHTS}\n</think>\n\n${answer}`,
  never_ends_thoughts: (answer: string) => `<think>${THOUGHTS}\n${answer}`,
  uses_channels: (answer: string) =>
    `<|channel|>analysis<|message|>${THOUGHTS}<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
  writes_markdown: (answer: string, asked: Asked) => (asked.step === 'section' ? asMarkdown(answer) : answer),
  leaves_text_loose: (answer: string, asked: Asked) =>
    isText(asked) ? `${answer}\n\nThe key is **drainage**.` : answer,
  cites: (answer: string, asked: Asked) =>
    isText(asked)
      ? `${answer}<p>Take your time【4:1†source】. Ask your neighbours citeturn0search0. Look around [1].</p>`
      : answer.replace('how to plan', 'how to plan【2†source】'),
  refuses_section: (answer: string, asked: Asked) =>
    isText(asked) ? "I'm sorry, but I can't help with that." : answer,
  speaks_of_itself: (answer: string, asked: Asked) =>
    isText(asked) ? `${answer}<p>As an AI language model, I cannot recommend a shed.</p>` : answer,
  leaves_places: (answer: string, asked: Asked) =>
    isText(asked) ? `${answer}<p>[Insert product photo here]</p>` : answer,
  offers_more: (answer: string, asked: Asked) =>
    isText(asked) ? `${answer}<p>Let me know if you'd like me to go on.</p>` : answer,
} satisfies Record<string, (answer: string, asked: Asked) => string>

/** Returns the model's answer, in the manner that is set. */
export const answerTo = (asked: Asked, manner: Manner): string => {
  if (Object.hasOwn(FAMILIES, manner)) return FAMILIES[manner as keyof typeof FAMILIES](answerTo(asked, 'good'), asked)
  if (asked.step === 'outline') return outlineBy(manner, asked)
  if (asked.step === 'posts') return postsBy(manner, asked)
  if (asked.step === 'headline') return headlineBy(manner, asked)
  if (asked.step === 'repair') return repaired(manner, asked)
  return (BAD_SECTIONS[manner] ?? goodSection)(asked)
}
