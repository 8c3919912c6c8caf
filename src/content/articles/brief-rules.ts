/** Characters a search result shows of a description. */
export const MAX_DESCRIPTION = 160

/** Rules for the HTML of an article that is stored as it was written and passes the report. */
export const HTML_RULES: readonly string[] = [
  'Send an HTML fragment: no html, head or body element, no scripts, styles, forms or event handlers.',
  'No h1: the title is the page’s h1. Begin with a paragraph, then h2 sections, h3 below them; skip no level.',
  'Give every h2 and h3 an id of its own: lower-case words with hyphens.',
  'The keyword stands in the title, in the first 100 words and in one heading.',
  'Every image has an absolute public URL and alt text that says what it shows; up to 20 given as data: URLs are hosted here.',
  'Links have absolute URLs and say in their words where they lead. Exchange links carry no nofollow, sponsored or ugc.',
  'Cite two or more outside sources by link where you state facts; never link a competitor.',
  'iframe only for YouTube and Vimeo.',
]

/** Returns the description of the feature image, in a sentence or two. */
export const featureImageHint = (showsTitle: boolean, color: string | undefined): string => {
  const base =
    'One landscape image, 1200 × 630 pixels or larger, JPG, PNG, WebP or GIF: its public URL in feature_image, what it shows in alt_text.'
  if (!showsTitle) return base
  return `${base} It shows the article’s title${color === undefined ? '' : ` on the colour ${color}`}.`
}
