/** Operations counted so far: one for each look at a character, a list or a table; its length for a search or a copy. */
let operations = 0

type Method = (this: unknown, ...given: unknown[]) => unknown

/** Replaces a built-in function with one that counts. Returns a function that restores it. */
const count = (
  owner: object,
  name: PropertyKey,
  cost: (self: unknown, given: unknown[], result: unknown) => number,
) => {
  const original = Reflect.get(owner, name) as Method
  const counted: Method = function (this: unknown, ...given) {
    const result = original.apply(this, given)
    operations += cost(this, given, result)
    return result
  }
  Object.defineProperty(owner, name, { value: counted, configurable: true, writable: true })
  return () => Object.defineProperty(owner, name, { value: original, configurable: true, writable: true })
}

const sizeOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)

/** Returns the cost of a search: the length it searched, up to the match or to the end. */
const searchCost = (self: unknown, [, from]: unknown[], result: unknown): number => {
  const start = Number(from ?? 0)
  return (Number(result) < 0 ? sizeOf(self) : Number(result)) - start
}

const execCost = (self: unknown, [text]: unknown[], result: unknown): number => {
  const { sticky, multiline, source } = self as RegExp
  if (result) return sizeOf((result as RegExpExecArray)[0])
  return sticky || (source.startsWith('^') && !multiline) ? 1 : sizeOf(text)
}

const one = (): number => 1
const ownSize = (self: unknown): number => sizeOf(self)
const resultSize = (_self: unknown, _given: unknown[], result: unknown): number => sizeOf(result)

const countBuiltIns = (slices: 'copied' | 'shared'): (() => void) => {
  const undo = [
    count(String.prototype, 'charCodeAt', one),
    count(String.prototype, 'indexOf', searchCost),
    count(String.prototype, 'slice', slices === 'copied' ? resultSize : one),
    count(String.prototype, 'includes', ownSize),
    count(String.prototype, 'split', ownSize),
    count(String.prototype, 'replaceAll', ownSize),
    count(RegExp.prototype, Symbol.replace, (_self, [text]) => sizeOf(text)),
    count(RegExp.prototype, 'exec', execCost),
    count(Array.prototype, 'join', resultSize),
    count(Array.prototype, 'push', one),
    count(Array.prototype, 'at', one),
    count(Array.prototype, 'includes', (self) => (self as unknown[]).length),
    count(Set.prototype, 'has', one),
    count(Map.prototype, 'get', one),
    count(Map.prototype, 'set', one),
  ]
  return () => {
    for (const restore of undo) restore()
  }
}

/**
 * Returns the work of a call, counted in characters that built-in functions read, search and copy. It is the same on
 * every machine.
 *
 * `shared`: the length of a slice costs nothing, as in V8, where a slice refers to the original text.
 */
export const workOf = (call: () => unknown, slices: 'copied' | 'shared' = 'copied'): number => {
  operations = 0
  const restore = countBuiltIns(slices)
  try {
    call()
  } finally {
    restore()
  }
  return operations
}
