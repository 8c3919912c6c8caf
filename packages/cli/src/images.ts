/** Code, in which nothing is an image, and images: `![alt](path "title")`, `![alt](<a path>)` and `<img src="path">`. */
const PARTS = new RegExp(
  [
    /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|$(?![\s\S]))/,
    /`[^`\n]+`/,
    /(?<mark>!\[[^\]]*\]\(\s*)(?:<(?<angled>[^<>\n]+)>|(?<bare>(?:[^\s<>()]|\([^\s<>()]*\))+))/,
    /(?<tag><img\b[^>]*?\bsrc=)(?<quote>["'])(?<src>[^"'>]+)\k<quote>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
)

type Part = Partial<Record<'mark' | 'angled' | 'bare' | 'tag' | 'quote' | 'src', string>>

const pathIn = ({ angled, bare, src }: Part = {}): string | undefined => angled ?? bare ?? src

/** True if the address of an image is a path to a file. */
export const isLocal = (address: string): boolean => !/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(address)

/** Returns the paths of a Markdown text's images that are files. */
export const localImages = (text: string): string[] =>
  [...text.matchAll(PARTS)].flatMap(({ groups }) => pathIn(groups) ?? []).filter(isLocal)

/** Returns a Markdown text with addresses instead of the paths of its images. */
export const withAddresses = (text: string, addresses: ReadonlyMap<string, string>): string =>
  text.replace(PARTS, (whole: string, ...found: unknown[]) => {
    const part = found.at(-1) as Part
    const address = addresses.get(pathIn(part) ?? '')
    if (address === undefined) return whole
    return part.mark === undefined ? `${part.tag}${part.quote}${address}${part.quote}` : `${part.mark}${address}`
  })
