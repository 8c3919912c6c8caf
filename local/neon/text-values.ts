const BOOL = 16
const INT2 = 21
const INT4 = 23
const JSON_TYPE = 114
const FLOAT4 = 700
const FLOAT8 = 701
const JSONB = 3802
const TEXT = 25

/** Element type by array type (pg_type OIDs), where every element type without a JSON form of its own counts as text. */
const elementTypes = new Map<number, number>([
  [1000, BOOL],
  [1005, INT2],
  [1007, INT4],
  [1021, FLOAT4],
  [1022, FLOAT8],
  [199, JSON_TYPE],
  [3807, JSONB],
  ...[1001, 1002, 1003, 1009, 1014, 1015, 1016, 1028, 1041, 1115, 1182, 1183, 1185, 1187, 1231, 1270, 2951].map(
    (arrayType): [number, number] => [arrayType, TEXT],
  ),
])

const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const arrayLiteral = (values: readonly unknown[]): string => {
  const element = (value: unknown): string => {
    if (value === null) return 'NULL'
    if (Array.isArray(value)) return arrayLiteral(value)
    if (typeof value === 'string') return quoted(value)
    return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value)
  }
  return `{${values.map(element).join(',')}}`
}

/** A parameter given as JSON, in PostgreSQL's text form: arrays become array literals, objects JSON text. */
export const toParam = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(value)
}

const parseArray = (literal: string, elementType: number): unknown[] => {
  // A literal with its own lower bounds begins "[2:3]=".
  let at = literal.startsWith('[') ? literal.indexOf('=') + 1 : 0
  const quotedText = (): string => {
    let text = ''
    for (at += 1; literal[at] !== '"' && at < literal.length; at += 1) {
      if (literal[at] === '\\') at += 1
      text += literal[at] ?? ''
    }
    at += 1
    return text
  }
  const element = (): unknown => {
    if (literal[at] === '{') return list()
    if (literal[at] === '"') return toJson(quotedText(), elementType)
    const start = at
    while (at < literal.length && literal[at] !== ',' && literal[at] !== '}') at += 1
    const text = literal.slice(start, at)
    return text === 'NULL' ? null : toJson(text, elementType)
  }
  const list = (): unknown[] => {
    const values: unknown[] = []
    at += 1
    while (at < literal.length && literal[at] !== '}') {
      values.push(element())
      if (literal[at] === ',') at += 1
    }
    at += 1
    return values
  }
  return list()
}

/** A value in text form as JSON by its type: booleans, int2/int4, finite floats, json and arrays of them; the rest text. */
export const toJson = (text: string | null, type: number): unknown => {
  if (text === null) return null
  const elementType = elementTypes.get(type)
  if (elementType !== undefined) return parseArray(text, elementType)
  if (type === BOOL) return text === 't'
  if (type === INT2 || type === INT4) return Number(text)
  if (type === FLOAT4 || type === FLOAT8) return Number.isFinite(Number(text)) ? Number(text) : text
  return type === JSON_TYPE || type === JSONB ? JSON.parse(text) : text
}
