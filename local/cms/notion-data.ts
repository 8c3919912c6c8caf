export type Property = { id: string; name: string; type: string; options?: string[] }

type Text = { text: { content: string; link?: { url: string } }; annotations?: Record<string, unknown> }

/** A property's value as requests write it. */
export type Value = {
  title?: Text[]
  rich_text?: Text[]
  status?: { name: string } | null
  select?: { name: string } | null
  multi_select?: { name: string }[]
  checkbox?: boolean
  url?: string | null
  date?: { start: string } | null
  files?: ({ name: string } & Omit<Cover, 'type'>)[]
}

/** A picture as requests write it: by its address, or a file that was taken in. */
export type Cover = { type: string; external?: { url: string }; file_upload?: { id: string } }

export type Page = {
  id: string
  created_time: string
  last_edited_time: string
  in_trash: boolean
  cover: Cover | null
  markdown: string
  /** Pages and databases that people put below it, each by its tag in the markdown. */
  children: string[]
  values: Record<string, Value>
}

const readText = ({ text, annotations }: Text) => ({
  type: 'text',
  text,
  annotations: { bold: false, color: 'default', ...annotations },
  plain_text: text.content,
  href: text.link?.url ?? null,
})

/** Returns a value in Notion's form: every property is present, even an empty one. */
export const readValue = ({ type }: Property, value: Value | undefined): Record<string, unknown> => {
  if (type === 'title' || type === 'rich_text') return { type, [type]: (value?.[type] ?? []).map(readText) }
  const empty = type === 'multi_select' || type === 'files' ? [] : type === 'checkbox' ? false : null
  return { type, [type]: value?.[type as keyof Value] ?? empty }
}

const wrongText = (name: string, parts: Text[]): string | undefined => {
  if (parts.length > 100)
    return `body failed validation: body.properties.${name}.rich_text.length should be ≤ \`100\`, instead was \`${parts.length}\`.`
  const long = parts.findIndex(({ text }) => text.content.length > 2_000)
  return long < 0
    ? undefined
    : `body failed validation: body.properties.${name}.rich_text[${long}].text.content.length should be ≤ \`2000\`, instead was \`${parts[long]?.text.content.length}\`.`
}

const wrongValue = (property: Property, value: Value): string | undefined => {
  const { name, type, options } = property
  if (!(type in value)) return `${name} is expected to be ${type}.`
  const wrong = wrongText(name, value.title ?? value.rich_text ?? [])
  if (wrong) return wrong
  const named = [...(value.multi_select ?? []), ...(value.select ? [value.select] : [])]
  const comma = named.find((option) => option.name.includes(','))
  if (comma) return `Invalid select option, commas not allowed: ${comma.name}`
  if (value.status && !options?.includes(value.status.name))
    return `Invalid status option. Status option "${value.status.name}" does not exist".`
  return undefined
}

/** Returns the faults that Notion finds in a page's properties and cover; undefined if there are none. */
export const wrongIn = (
  properties: readonly Property[],
  values: Record<string, Value>,
  cover: Page['cover'] | undefined,
): string | undefined => {
  for (const [name, value] of Object.entries(values)) {
    const property = properties.find((p) => p.name === name)
    if (!property) return `${name} is not a property that exists.`
    const wrong = wrongValue(property, value)
    if (wrong) return wrong
    if (value.files?.some((file) => /broken/.test(file.external?.url ?? '')))
      return 'body.properties.files external url is invalid.'
  }
  const url = cover?.external?.url
  return url !== undefined && (!url.startsWith('https://') || /broken/.test(url))
    ? 'body failed validation: body.cover.external.url should be a valid image URL.'
    : undefined
}

/** Languages of code blocks; others are refused. */
const LANGUAGES =
  'bash c c++ c# css diff docker elixir go graphql haskell html java javascript json kotlin latex less lua makefile markdown mermaid nix objective-c perl php powershell python r ruby rust sass scala scss shell sql swift typescript xml yaml'.split(
    ' ',
  )

const MAX_REQUEST_BYTES = 500_000

/** Tags of Markdown v2. Notion stores any other tag as literal text, and so v1's tags with an attribute too. */
const TAGS = new Set(
  'b i s u span mention date p h1 h2 h3 h4 quote toggle li ul ol columns column tabs tab callout todo equation table-of-contents image pdf file audio video bookmark embed page folder database synced-block unknown table colgroup col tr th td br'.split(
    ' ',
  ),
)

/** Returns a text as Notion stores it. With v2, unknown tags become literal text. */
export const keptMarkdown = (markdown: string, version: string | undefined): string =>
  version !== 'v2'
    ? markdown
    : markdown.replace(/(?<!\\)<\/?([a-z][\w-]*)([^<>]*)>/g, (tag, name: string, attributes: string) =>
        TAGS.has(name) && !/\b(?:src|underline)=/.test(attributes) && tag !== '<br>' ? tag : `\\${tag}`,
      )

/** Returns the faults that Notion finds in a text in its markdown; undefined if there are none. */
export const wrongMarkdown = (markdown: string): string | undefined => {
  if (Buffer.byteLength(markdown) > MAX_REQUEST_BYTES)
    return `body failed validation: body size should be ≤ \`${MAX_REQUEST_BYTES}\`.`
  const fences = [...markdown.matchAll(/^\s*```([^`\n]*)\n[\s\S]*?^\s*```/gm)].map(([, language]) => language ?? '')
  const unknown = fences.find(
    (language) => language !== '' && language !== 'plain text' && !LANGUAGES.includes(language),
  )
  return unknown === undefined ? undefined : `Invalid code block language: "${unknown}".`
}
