import { locationOf } from '../../../platform/lib/urls.ts'
import type { StoredPost } from '../../../publishing/target/site-posts.ts'
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

/** Page builder that a post's text belongs to, or null. `unread`: reason why it is not known. */
type Owner = Pick<StoredPost, 'owner' | 'unread'>

const unread = (why: string): Owner => ({
  owner: null,
  unread: `The public page of the post could not be read (${why}), so it is not known if a page builder draws it.`,
})

const MAX_REDIRECTS = 3

/** Returns the page builder whose sign the public page has. Without a page, none draws it. */
const ownerOnPage = async (deps: CmsDeps, url: string, redirects = 0): Promise<Owner> => {
  const page = await deps.outbound({ url, method: 'GET', timeoutMs: PAGE_TIMEOUT_MS, maxBytes: PAGE_BYTES })
  if (page.kind !== 'answered') return unread('it did not answer')
  const next = locationOf(page, url)
  if (next && redirects < MAX_REDIRECTS) return await ownerOnPage(deps, next.href, redirects + 1)
  if (page.status === 404 || page.status === 410) return { owner: null }
  if (page.status !== 200) return unread(`HTTP ${page.status}`)
  const owner = named(ON_PAGE, page.body)
  return owner === null && page.incomplete ? unread('it broke off') : { owner }
}

/**
 * Returns the page builder that a post's text belongs to. It shows its own data instead of the stored text, and replaces the text with
 * its next save.
 *
 * The signs are in the text, in fields that the builder registers, and on the public page.
 */
export const ownerOf = async (
  deps: CmsDeps,
  { text, meta, url }: { text: string; meta: Record<string, unknown>; url: string | null },
): Promise<Owner> => {
  if (meta._elementor_edit_mode === 'builder') return { owner: 'Elementor' }
  const owner = named(IN_TEXT, text)
  return owner !== null || url === null ? { owner } : await ownerOnPage(deps, url)
}
