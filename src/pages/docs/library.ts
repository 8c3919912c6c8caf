import { anchorOf } from '../../platform/lib/text.ts'
import type { Legal } from '../../platform/runtime/legal.ts'
import { type Description, groupOf } from './description.ts'
import { ENTRIES, type Entry, entryAt } from './menu.ts'

/** Returns the part of the API description about the service, with the addresses of its operator. */
const withOperator = (info: Description['info'], { privacyUrl, termsUrl, statusUrl, supportEmail }: Legal) => ({
  ...info,
  ...(termsUrl === '' ? {} : { termsOfService: termsUrl }),
  contact: { ...info.contact, ...(supportEmail === '' ? {} : { email: supportEmail }) },
  ...(privacyUrl === '' ? {} : { 'x-privacy-policy': privacyUrl }),
  ...(statusUrl === '' ? {} : { 'x-status-page': statusUrl }),
})

/** Static assets of the Worker, by their path below `docs`. */
export type Documents = { fetch: (url: string) => Promise<Response> }

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
export const createLibrary = (documents: Documents, publicUrl: string, legal: Legal) => {
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
    const { info, ...rest } = JSON.parse(text) as Description
    return {
      ...rest,
      info: withOperator(info, legal),
      servers: [{ url: `${base}/api/v1`, description: 'This service.' }],
    }
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
