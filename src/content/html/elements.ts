const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Deepest nesting that is read as such: 64 elements within one another. */
export const MAX_DEPTH = 64

/** Elements that never have content (HTML standard, 13.1.2). */
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/** Elements inside a word or sentence: they end neither. */
export const INLINE = words(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr',
)

/** Elements before which an open paragraph ends (13.2.6.4.7). */
export const ENDS_PARAGRAPH = words(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)

/** Elements that an element closes at its beginning, and the ancestor up to which it does. */
export const CLOSES: Record<string, { tags: readonly string[]; within: readonly string[] }> = {
  li: { tags: ['li'], within: ['ul', 'ol', 'menu'] },
  dt: { tags: ['dt', 'dd'], within: ['dl'] },
  dd: { tags: ['dt', 'dd'], within: ['dl'] },
  rt: { tags: ['rt', 'rp'], within: ['ruby'] },
  rp: { tags: ['rt', 'rp'], within: ['ruby'] },
  option: { tags: ['option'], within: ['select', 'datalist'] },
  optgroup: { tags: ['optgroup', 'option'], within: ['select'] },
  a: { tags: ['a'], within: [] },
  body: { tags: ['head'], within: [] },
  tr: { tags: ['tr', 'caption', 'colgroup'], within: ['thead', 'tbody', 'tfoot'] },
  td: { tags: ['td', 'th'], within: ['tr'] },
  th: { tags: ['td', 'th'], within: ['tr'] },
  thead: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
  tbody: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
  tfoot: { tags: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: [] },
}

/** Ancestors an implied end and the end tag of anything but a part of a table do not reach across. */
export const BOUNDARY = words('table td th caption template html object applet marquee')
export const TABLE_PARTS = words(
  'table thead tbody tfoot tr td th caption colgroup template html body object applet marquee',
)

/** HTML elements that end SVG and MathML where they begin in it (13.2.6.5). */
export const ENDS_FOREIGN = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)

/** Elements of SVG and MathML that hold HTML (13.2.6 and the integration points of 13.2.6.5). */
export const HOLDS_HTML = words('foreignobject desc title mi mo mn ms mtext annotation-xml')

export const HEADING = words('h1 h2 h3 h4 h5 h6')
