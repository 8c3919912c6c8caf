import { anchorOf } from '../../platform/lib/text.ts'
import { type Description, groupOf } from './description.ts'

/** Search result: a section of a document, and the text around the first match. */
type Found = { title: string; path: string; excerpt: string }

const MOST = 20
const EXCERPT = 180
/** Weight of a match in a heading. A match in the text counts 1. */
const HEADING_WEIGHT = 10

const wordsOf = (query: string): string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/[^\p{L}\p{N}_/:.-]+/u)
      .filter((word) => word !== ''),
  ),
]

const countIn = (text: string, word: string): number => text.split(word).length - 1

const excerptOf = (text: string, word: string): string => {
  const plain = text
    .replace(/^#+ .*$/m, '')
    .replace(/[`*|#>\n]+/g, ' ')
    .replace(/\s+/g, ' ')
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - EXCERPT / 3)
  return `${at > 0 ? '…' : ''}${plain.slice(at, at + EXCERPT).trim()}…`
}

/** Returns the sections that contain every word of the query, best first. */
export const searchSections = (sections: readonly Section[], query: string): Found[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return sections
    .map((section) => {
      const heading = section.heading.toLowerCase()
      const text = section.text.toLowerCase()
      const counts = words.map((word) => countIn(text, word) + HEADING_WEIGHT * countIn(heading, word))
      return { section, score: counts.every((count) => count > 0) ? counts.reduce((sum, count) => sum + count, 0) : 0 }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section: { entry, heading, anchor, text } }) => ({
      title: anchor === '' ? entry.title : `${entry.title}: ${heading}`,
      path: `/docs/${entry.path}${anchor === '' ? '' : `#${anchor}`}`,
      excerpt: excerptOf(text, words[0] ?? ''),
    }))
}

/** Static assets of the Worker, by their path below `docs`. */
export type Documents = { fetch: (url: string) => Promise<Response> }

/** Document in the menu: its address below `/docs`, its file below `docs`, its title. */
export type Entry = { path: string; file: string; title: string }

const entry = (path: string, title: string, file = `${path}.md`): Entry => ({ path, file, title })

/** Served documents, in the order of the menu. */
export const MENU: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'Start',
    entries: [
      entry('index', 'Overview'),
      entry('quickstart', 'Quickstart'),
      entry('clients', 'Connect your client'),
      entry('command-line', 'Command line and TypeScript'),
      entry('reference/operations', 'All operations'),
      entry('reference/errors', 'Errors'),
      entry('reference/webhooks', 'Webhooks'),
    ],
  },
  {
    title: 'Concepts',
    entries: [
      entry('concepts/states', 'States of an article'),
      entry('concepts/claim', 'The claim and the writer'),
      entry('concepts/revisions', 'Revisions'),
      entry('concepts/deliveries', 'Deliveries'),
      entry('concepts/suggestions', 'Suggestions'),
      entry('concepts/approvals', 'Approvals'),
      entry('concepts/accounts', 'Accounts, people and keys'),
      entry('concepts/undo', 'Taking changes back'),
      entry('concepts/archives', 'Archives of projects'),
      entry('concepts/policy', 'The policy of a project'),
      entry('concepts/credits', 'Credits'),
      entry('concepts/dry-runs', 'Dry runs'),
      entry('concepts/limits', 'Limits'),
      entry('concepts/mcp', 'The MCP server'),
      entry('concepts/keywords', 'Keywords'),
      entry('concepts/search', 'Search performance'),
      entry('concepts/ai-visibility', 'AI visibility'),
      entry('design/cms', 'Publishing to each CMS'),
      entry('concepts/images', 'Hosted images'),
      entry('concepts/screenshots', 'Screenshots'),
      entry('concepts/social', 'Social posts'),
      entry('concepts/crowdwork', 'Crowdwork'),
      entry('concepts/outreach', 'The outreach mirror'),
    ],
  },
  {
    title: 'Reference',
    entries: [
      entry('reference/operations-projects', 'Projects and the account'),
      entry('reference/operations-articles', 'Articles'),
      entry('reference/operations-editing', 'Changing articles'),
      entry('reference/operations-publishing', 'Publishing and deliveries'),
      entry('reference/operations-integrations', 'Integrations'),
      entry('reference/operations-research', 'Research and backlinks'),
      entry('reference/operations-media', 'Images, videos and screenshots'),
      entry('reference/operations-insights', 'AI visibility and search performance'),
      entry('reference/operations-suggestions', 'Suggestions'),
      entry('reference/operations-reach', 'Crowdwork and outreach'),
      entry('reference/operations-social', 'Social posts and business profile'),
    ],
  },
  {
    title: 'Running it yourself',
    entries: [
      entry('operations/local', 'On your machine'),
      entry('operations/deploy', 'Deploying and rolling back'),
      entry('operations/admin', 'Accounts and keys by command'),
      entry('operations/costs', 'What it costs'),
      entry('operations/runbook', 'Runbook'),
      entry('operations/backup', 'Backup and restore'),
      entry('operations/secrets', 'Rotating secrets'),
      entry('operations/address', 'Moving to another address'),
      entry('license', 'License'),
    ],
  },
]

const ENTRIES = MENU.flatMap(({ entries }) => entries)

/** Returns the document at an address below `/docs`; undefined if none has it. */
export const entryAt = (path: string): Entry | undefined => ENTRIES.find((one) => one.path === path)

/** Section of a document, below a second-level heading. */
export type Section = { entry: Entry; heading: string; anchor: string; text: string }

/** Operation, as the OpenAPI description lists it. */
export type Listed = {
  id: string
  method: string
  path: string
  summary: string
  group: string
  scope: string
  perMinute: number
  cost: string
}

/** Cache of files for the life of the isolate. Files change only with a deployment. */
const read = new Map<string, string>()

const UNFENCED = /^(```[^\n]*\n[\s\S]*?^```$|## [^\n]*)/gm

/** Splits a document at its second-level headings. A heading inside a code fence is text. */
const sectionsIn = (entry: Entry, text: string): Section[] => {
  const heads = [...text.matchAll(UNFENCED)].filter(([found]) => found.startsWith('## '))
  const first = { entry, heading: entry.title, anchor: '', text: text.slice(0, heads[0]?.index) }
  const others = heads.map((head, n) => {
    const heading = head[0].slice(3)
    return { entry, heading, anchor: anchorOf(heading), text: text.slice(head.index, heads[n + 1]?.index) }
  })
  return [first, ...others]
}

/** Matches code, or the relative address of a link to another document. */
const CODE_OR_LINK = /^```[^\n]*\n[\s\S]*?^```$|`[^`\n]*`|(?<=\]\()(?![a-z]+:|\/)[^)\s]+/gm

/** Returns a document for programs, with absolute links to Markdown files. */
const withWholeLinks = (text: string, file: string, base: string): string =>
  text.replace(CODE_OR_LINK, (found) =>
    found.startsWith('`') ? found : String(new URL(found, `${base}/docs/${file}`)),
  )

const OPERATION = /^- Operation `([\w.]+)`/m

/** Returns functions that read the documents, with the address of this service in them. */
export const createLibrary = (documents: Documents, publicUrl: string) => {
  const base = publicUrl.replace(/\/+$/, '')

  const fileText = async (file: string): Promise<string> => {
    const known = read.get(file)
    if (known !== undefined) return known
    const response = await documents.fetch(`http://documents/${file}`)
    if (!response.ok) throw new Error(`the document ${file} is not there: ${response.status}`)
    const text = await response.text()
    read.set(file, text)
    return text
  }

  /** Returns a document as Markdown, with the address of this service. */
  const markdown = async (entry: Entry): Promise<string> =>
    (await fileText(entry.file))
      .replace(/^<!--.*?-->\n/, '')
      .replaceAll('https://api.example.com', base)
      .replaceAll('{base_url}', `${base}/api/v1`)

  const sections = async (entries: readonly Entry[] = ENTRIES): Promise<Section[]> =>
    (await Promise.all(entries.map(async (entry) => sectionsIn(entry, await markdown(entry))))).flat()

  const description = async (): Promise<Description> => {
    const text = (await fileText('reference/openapi.json')).replaceAll('https://api.example.com', base)
    return { ...(JSON.parse(text) as Description), servers: [{ url: `${base}/api/v1`, description: 'This service.' }] }
  }

  const reference = ENTRIES.filter(({ path }) => path.startsWith('reference/operations-'))

  return {
    markdown,
    /** Returns a document, or a part of it, for programs. */
    forPrograms: (text: string, { file }: Entry): string => withWholeLinks(text, file, base),
    sections,
    /** Returns the reference section of an operation, by the operation's id. */
    operation: async (id: string): Promise<Section | undefined> =>
      (await sections(reference)).find(({ text }) => OPERATION.exec(text)?.[1] === id),
    /** Returns the reference section of an error code. */
    error: async (code: string): Promise<Section | undefined> => {
      const errors = entryAt('reference/errors')
      return errors && (await sections([errors])).find(({ heading, anchor }) => heading === code && anchor !== '')
    },
    /** Returns the OpenAPI description as JSON text, with the address of this service. */
    openApi: async (): Promise<string> => JSON.stringify(await description(), null, 1),
    /** Returns the OpenAPI description of one group; undefined if there is no such group. */
    openApiOf: async (group: string): Promise<string | undefined> => {
      const one = groupOf(await description(), group)
      return one && JSON.stringify(one, null, 1)
    },
    /** Returns the sizes of the descriptions in characters: of the whole, and of each group. */
    openApiSizes: async (): Promise<{ whole: number; groups: [group: string, size: number][] }> => {
      const all = await description()
      const sizeOf = (value: unknown): number => JSON.stringify(value, null, 1).length
      const groups = all.tags.map(({ 'x-group': group }): [string, number] => [group, sizeOf(groupOf(all, group))])
      return { whole: sizeOf(all), groups }
    },
    /** Returns every operation of the OpenAPI description, in its order. */
    operations: async (): Promise<Listed[]> => {
      const { paths } = JSON.parse(await fileText('reference/openapi.json')) as {
        paths: Record<string, Record<string, Described>>
      }
      return Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, op]) => ({
          id: op['x-operation'],
          method: method.toUpperCase(),
          path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
          summary: op.summary,
          group: op.tags[0] ?? '',
          scope: op['x-scope'],
          perMinute: op['x-rate-limit-per-minute'],
          cost: op['x-cost'],
        })),
      )
    },
  }
}

type Described = {
  summary: string
  tags: string[]
  'x-operation': string
  'x-scope': string
  'x-rate-limit-per-minute': number
  'x-cost': string
}

/** Documents of the service, as the docs Worker reads them. */
export type Library = ReturnType<typeof createLibrary>
