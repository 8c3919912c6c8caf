const quote = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The end index and regular expression of the character class that starts after `[` at `start`. */
const characterClass = (pattern: string, start: number): { source: string; end: number } => {
  let i = start
  const negated = pattern[i] === '^'
  if (negated) i += 1
  let members = ''
  while (i < pattern.length && pattern[i] !== ']') {
    if (pattern[i] === '\\' && i + 1 < pattern.length) i += 1
    const low = pattern[i] ?? ''
    if (pattern[i + 1] === '-' && i + 2 < pattern.length) {
      const [from = low, to = low] = [low, pattern[i + 2] ?? low].sort()
      members += `${quote(from)}-${quote(to)}`
      i += 3
    } else {
      members += quote(low)
      i += 1
    }
  }
  if (members === '') return { source: negated ? '[^]' : '[]', end: i }
  return { source: `[${negated ? '^' : ''}${members}]`, end: i }
}

/** A Redis glob (`*`, `?`, `[a-z]`, `[^x]`, `\` as escape) as a predicate over whole byte strings. */
export const glob = (pattern: string): ((text: string) => boolean) => {
  if (pattern === '*') return () => true
  let source = ''
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i] ?? ''
    if (char === '*') {
      // Runs of stars collapse: each further `.*` would only multiply the backtracking.
      if (!source.endsWith('[^]*')) source += '[^]*'
    } else if (char === '?') source += '[^]'
    else if (char === '[') {
      const found = characterClass(pattern, i + 1)
      source += found.source
      i = found.end
    } else if (char === '\\' && i + 1 < pattern.length) {
      i += 1
      source += quote(pattern[i] ?? '')
    } else source += quote(char)
  }
  const expression = new RegExp(`^${source}$`)
  return (text) => expression.test(text)
}
