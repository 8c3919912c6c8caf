const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A list as PostgreSQL writes it: `{"a",NULL,{"b"}}`. */
const arrayText = (list: readonly unknown[]): string =>
  `{${list.map((item) => (Array.isArray(item) ? arrayText(item) : elementText(item))).join(',')}}`

const elementText = (item: unknown): string => {
  const text = encodeParameter(item)
  return text === null ? 'NULL' : quoted(text)
}

/** A value as the text of a parameter: lists as arrays, instants in UTC, other objects as JSON. */
export const encodeParameter = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return arrayText(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
