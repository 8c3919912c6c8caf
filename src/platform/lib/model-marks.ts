/** Name of a search result in a model's tools: `turn0search1`. */
const RESULT = 'turn\\d{1,3}[a-z]{3,12}\\d{1,3}'
const RESULTS = `(?:[\\ue200-\\ue2ff]?${RESULT})+(?:L\\d{1,5}(?:-L?\\d{1,5})?)?`
const NUMBERS = '\\d{1,3}(?:\\s?[,–-]\\s?\\d{1,3}){0,20}'

/** Marks with which models name their sources, which readers cannot follow. A row for each kind. */
const MARKS = [
  '\\ue200[^\\ue200\\ue201\\n]{0,300}\\ue201',
  `[[(【]?(?:(?:file|nav|image|product)?_?(?:cite|list|group)[: ]?)?${RESULTS}[\\])】]?`,
  '[\\ue200-\\ue2ff]',
  '【[^【】\\n]{0,40}†[^【】\\n]{0,200}】',
  '\\[\\d{1,3}(?::\\d{1,3})?†[^[\\]\\n]{0,200}\\]',
  ':?(?:contentReference)?\\[oaicite:\\d{1,4}\\](?:\\{index=\\d{1,4}\\})?',
  'oai_citation(?:_attribution)?:\\d{1,4}‡',
  '\\[cite_(?:start|end)\\]',
  `\\[(?:cite|source|citation|web|file|page|attached_file|memory|image|search_result)s?:\\s?${NUMBERS}\\]`,
].join('|')
/** Numbers of sources, such as `[1]` and `[2, 3]`. A person’s article may have them, too. */
const SOURCES = `\\[\\^?${NUMBERS}\\](?![(:\\w])`
/** Characters that no font shows. */
const PRIVATE = '[\\ue000-\\uf8ff]'

const pattern = (marks: string) => new RegExp(`[ \\u00a0]?(?:${marks})(?:[ \\u00a0]?(?:${marks}))*`, 'g')

/** Returns a text without the marks of a model's sources. `all`: also numbers in brackets, and characters that no font shows. */
export const withoutModelMarks = (text: string, all = false): string =>
  /[[(【\ue000-\uf8ff‡]|turn\d/.test(text)
    ? text.replace(pattern(all ? `${MARKS}|${SOURCES}|${PRIVATE}` : MARKS), '')
    : text

/** Name of the marks in answers that tell what was removed. */
export const MARKS_REMOVED = 'citation marks of a model'

/** Returns a text of a caller without such marks, and what was removed. */
export const strippedOfMarks = (given: string): { text: string; removed: string[] } => {
  const text = withoutModelMarks(given)
  return { text, removed: text === given ? [] : [MARKS_REMOVED] }
}

/** Returns the marks in a text that may be a model's. */
export const modelMarksIn = (text: string): string[] =>
  (text.match(pattern(`${MARKS}|${SOURCES}|${PRIVATE}`)) ?? []).map((mark) => mark.trim())
