import * as fc from 'fast-check'

const entity = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Words, signs that Markdown reads as marks, and letters and signs of other scripts. */
const word = fc.constantFrom(
  ...[
    'Rye',
    'a',
    '10',
    'x_y',
    '«ja»',
    '「太字」',
    'です',
    '“耐用性”',
    '।',
    '€5',
    'é',
    '🍞',
    '1.',
    '2)',
    '-',
    '+',
    '#',
    '##',
  ],
  ...[
    '>',
    '=',
    '---',
    '***',
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '[',
    ']',
    '](',
    '![',
    '!',
    '<',
    '<b>',
    '</p>',
  ],
  ...[
    '&',
    '&amp;',
    '&copy',
    '\\',
    '\\*',
    '|',
    '|-|',
    ':-',
    '.',
    ',',
    '(',
    ')',
    '"',
    "'",
    'http://',
    '\u00a0',
    '\u3000',
    '[^1]',
  ],
)
const blank = fc.constantFrom('', ' ', ' ', '\n', ' <!-- c --> ')
const text = fc
  .array(fc.tuple(word, blank), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([one, after]) => `${entity(one)}${after}`).join(''))
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const address = fc.constantFrom(
  '/a',
  'https://a.example/b_c_(d)?e=f|g&copy=1',
  'https://a.example/%20x',
  'https://a.example/a b',
  '#top',
  'https://a.example/`x`',
)

const wrap = (tag: string, attributes: Record<string, string> = {}) => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${entity(value)}"`)
  return (inner: string): string => `<${tag}${written.join('')}>${inner}</${tag}>`
}

const image = fc
  .tuple(address, phrase, phrase)
  .map(([src, alt, title]) => `<img src="${entity(src)}" alt="${entity(alt)}\n\n b" title="${entity(title)}">`)

const { line } = fc.letrec<{ line: string; piece: string }>((tie) => ({
  line: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.constantFrom('<br>', ' '),
    image,
    fc
      .tuple(fc.constantFrom('b', 'strong', 'i', 'em', 's', 'del', 'sub', 'u', 'span', 'code'), tie('line'))
      .map(([tag, inner]) => wrap(tag)(tag === 'code' ? inner.replace(/<img[^>]*>/g, '') : inner)),
    fc.tuple(address, phrase, text).map(([href, title, inner]) => wrap('a', { href, title })(inner)),
  ),
}))

const cell = fc
  .tuple(fc.constantFrom('td', 'td', 'th'), fc.nat({ max: 3 }), fc.nat({ max: 3 }), line)
  .map(([tag, down, across, inner]) => {
    const spans = { ...(down > 1 ? { rowspan: String(down) } : {}), ...(across > 1 ? { colspan: String(across) } : {}) }
    return wrap(tag, spans)(inner)
  })
const table = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((rows) => wrap('table')(rows.map((row) => wrap('tr')(row.join(''))).join('')))

const pre = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => wrap('pre')(wrap('code')(`x${entity(words.join('\n'))}`)))

/** An HTML document of every kind of block and mark, within one another. */
export const documents = fc.letrec<{ blocks: string; block: string; list: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join('')),
  list: fc
    .tuple(
      fc.constantFrom('ul', 'ol'),
      fc.array(
        fc.oneof(
          { maxDepth: 3, depthSize: 'small' },
          line.map(wrap('li')),
          fc.tuple(line, tie('list')).map(([head, inner]) => `<li>${head}</li>${inner}`),
          tie('blocks').map(wrap('li')),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([tag, items]) => wrap(tag)(items.join(''))),
  block: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    line.map(wrap('p')),
    line.map(wrap('h3')),
    line,
    table,
    pre,
    fc.constant('<hr>'),
    image.map((picture) => wrap('figure')(`${picture}<figcaption>Below</figcaption>`)),
    tie('list'),
    tie('blocks').map(wrap('blockquote')),
    tie('blocks').map(wrap('div')),
    tie('blocks').map((inner) => wrap('details')(`<summary>More</summary>${inner}`)),
    fc.tuple(line, tie('blocks')).map(([term, inner]) => wrap('dl')(`<dt>${term}</dt><dd>${inner}</dd>`)),
    fc
      .tuple(fc.constantFrom('b', 'em', 'span', 'a'), line)
      .map(([tag, inner]) =>
        wrap(tag, tag === 'a' ? { href: '/w' } : {})(`<p>${inner.replace(/<\/?a[^>]*>/g, '')}</p>`),
      ),
  ),
})).blocks
