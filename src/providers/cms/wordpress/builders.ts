import type { CmsDeps } from '../http.ts'

/** Signs of page builders in a stored text. */
const IN_TEXT: readonly (readonly [string, RegExp])[] = [
  ['Divi', /\[et_pb_section\b|<!--\s+wp:divi\//],
  ['WPBakery', /\[vc_(?:row|section)\b/],
  ['Avada', /\[fusion_builder_container\b/],
  ['Beaver Builder', /<!--\s+wp:fl-builder\/layout\b/],
]

/**
 * Signs of page builders on the public page, of those that draw this post. Elementor and others also draw headers and footers of
 * posts that the editor has.
 */
const ON_PAGE: readonly (readonly [string, RegExp])[] = [
  ['Elementor', /\bdata-elementor-type=["']wp-(?:post|page)["']/],
  ['Beaver Builder', /\bfl-builder-content-primary\b/],
  ['SiteOrigin', /\bclass=["']panel-layout["']/],
  ['Thrive Architect', /\bid=["']tve_editor["']/],
  ['Brizy', /\bbrz-root__container\b/],
]

const PAGE_TIMEOUT_MS = 8_000
const PAGE_BYTES = 1024 * 1024

const named = (signs: typeof IN_TEXT, text: string): string | null =>
  signs.find(([, sign]) => sign.test(text))?.[0] ?? null

/**
 * Returns the page builder that a post's text belongs to, or null. It shows its own data instead of the stored text, and replaces the
 * text with its next save.
 *
 * The signs are in the text, in fields that the builder registers, and on the public page. A page that cannot be read shows no sign.
 */
export const ownerOf = async (
  deps: CmsDeps,
  { text, meta, url }: { text: string; meta: Record<string, unknown>; url: string | null },
): Promise<string | null> => {
  if (meta._elementor_edit_mode === 'builder') return 'Elementor'
  const own = named(IN_TEXT, text)
  if (own !== null || url === null) return own
  const page = await deps.outbound({ url, method: 'GET', timeoutMs: PAGE_TIMEOUT_MS, maxBytes: PAGE_BYTES })
  return page.kind === 'answered' && page.status === 200 ? named(ON_PAGE, page.body) : null
}
