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

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

const between = (text: string, name: string): string =>
  new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(text)?.[1] ?? ''

/** Reads instructions and task. */
export const readPrompt = (messages: readonly Message[]): Asked => {
  const text = messages.map(({ content }) => textOf(content)).join('\n\n')
  const section = /Write section \d+, “(.*?)”/.exec(text)?.[1]
  const isSection = section !== undefined || text.includes('Write the introduction')
  return {
    step: text.includes('Write its posts.')
      ? 'posts'
      : text.includes('It fails these checks')
        ? 'repair'
        : text.includes('Word its title and description again')
          ? 'headline'
          : isSection
            ? 'section'
            : 'outline',
    keyword: /^Keyword: (.*)$/m.exec(text)?.[1] ?? '',
    heading: section ?? '',
    isLast: text.includes('It is the last one.'),
    notes: between(text, 'notes'),
    article: between(text, 'article'),
    competitor: /Never link or praise: ([^,\s]+?)[.,]?(?:\s|$)/m.exec(text)?.[1] ?? 'rival.example',
    banned: /Never use these phrases[^:]*: “(.*?)”/.exec(text)?.[1] ?? '',
    queries: between(text, 'queries').split('\n').filter(Boolean),
    networks: [...text.matchAll(/^- "(\w+)": for /gm)].map(([, name]) => name ?? ''),
    wishes: /^The wishes of the business:\n([\s\S]*?)\n\n/m.exec(text)?.[1] ?? '',
    links: [...text.matchAll(/^- Link (?:once|where).*?: (\S+), anchored “(.*?)”/gm)].map(([, url, anchor]) => ({
      url: url ?? '',
      anchor: anchor ?? '',
    })),
  }
}
