/** Names of tags that models put around their thoughts, as a pattern. No element of HTML has one of them. */
const NAME =
  '(?:[a-z]{1,10}:)?(?:ant)?(?:(?:(?:inner|internal|private|my)[_ -])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|monologue)(?:[_ -]?(?:process|content|steps?|budget))?|analysis|reflections?|scratch[_ -]?pad|chain[_ -]of[_ -]thought|cot|deliberations?|plan(?:ning)?)'

/** Starts and ends of thoughts, a row for each way that models write them. */
const MARKS: readonly (readonly [start: string, end: string])[] = [
  [`<${NAME}(?:\\s[^<>]{0,200})?>`, `</${NAME}\\s{0,9}>`],
  [`\\[${NAME}\\]`, `\\[/${NAME}\\]`],
  [`◁${NAME}▷`, `◁/${NAME}▷`],
  [`<\\|(?:start|begin)(?:_of)?_${NAME}\\|>`, `<\\|end(?:_of)?_${NAME}\\|>`],
  [`<\\|${NAME}\\|>`, `<\\|/${NAME}\\|>`],
  ['<\\|channel>(?:thought|analysis)', '<channel\\|>'],
  ['^Thinking\\.\\.\\.[ \\t]*$', '^\\.\\.\\.done thinking\\.?[ \\t]*$'],
  ['<details type="reasoning"[^<>]{0,200}>', '</details>'],
]
const STARTS = MARKS.map(([start]) => start).join('|')
const ENDS = MARKS.map(([, end]) => end).join('|')

/** Code in Markdown. It may show such a mark, which is then no mark. */
const CODE =
  '^ {0,3}(?<fence>`{3,}(?!`)|~{3,}(?!~))[^\\n]*\\n[\\s\\S]*?^ {0,3}\\k<fence>|(?<!`)(?<tick>`{1,2})(?!`)[^`\\n]{1,300}\\k<tick>(?!`)'

/** Returns the text with its code blanked out. Its length stays the same. */
const withoutCode = (text: string): string =>
  text.replace(new RegExp(CODE, 'gm'), (code) => code.replace(/[^\n]/g, ' '))

/** Channels of a model: the answer is in the last one named `final`. */
const CHANNEL = /<\|channel\|>/
const FINAL = /<\|channel\|>\s*final\b(?:[^<\n]{0,50}<\|constrain\|>\s*\w{0,20})?\s*(?:<\|message\|>)?/g
const CHANNEL_END = /<\|(?:end|return|start|call|channel)\|>/
/** Channels whose special tokens were lost: `analysisThe user wants …assistantfinal<p>…`. */
const BARE_CHANNEL = /^\s*(?:analysis|commentary)(?=[A-Z\n])/
const BARE_FINAL = 'assistantfinal'

/** Special tokens that a server passed on, such as `<|im_end|>`. */
const TOKENS = /<\|\/?\w{1,40}\|>|<(?:start|end)_of_turn>(?:model\b)?/gi

/** Answer of a model without its thoughts. `isCut`: the thoughts do not end, or nothing comes after them. */
export type Thoughtless = { text: string; removed: string[]; isCut: boolean }

const name = (mark: string): string => mark.replace(/\s.*>$/s, '>').toLowerCase()

type Thoughts = { start: number; end: number; mark: string }

/**
 * Returns the places of thoughts with the marks at their starts. An end without a start ends thoughts from the beginning on.
 *
 * Thoughts that do not end have an infinite end. Marks in code count only inside of thoughts.
 */
const thoughtsIn = (text: string): Thoughts[] => {
  const found: Thoughts[] = []
  const outside = new RegExp(`(?<code>${CODE})|(?<end>${ENDS})|${STARTS}`, 'gim')
  const inside = new RegExp(ENDS, 'gim')
  const lastEnd = [...text.matchAll(inside)].at(-1)?.index ?? -1
  for (let match = outside.exec(text); match; match = outside.exec(text)) {
    const [mark] = match
    if (match.groups?.code !== undefined) continue
    // People write these, too. They are marks only if thoughts end behind them.
    const isSoft = mark.startsWith('[') ? mark !== mark.toUpperCase() : mark.startsWith('Thinking')
    if (isSoft && match.index >= lastEnd) continue
    // `</details>` also ends other things.
    if (match.groups?.end !== undefined && /^<\/details/i.test(mark)) continue
    inside.lastIndex = outside.lastIndex
    const isEnd = match.groups?.end !== undefined
    const end = isEnd ? outside.lastIndex : inside.exec(text) ? inside.lastIndex : Number.POSITIVE_INFINITY
    found.push({ start: isEnd ? 0 : match.index, end, mark })
    if (end === Number.POSITIVE_INFINITY) break
    outside.lastIndex = end
  }
  return found
}

const withoutChannels = (text: string): Thoughtless | undefined => {
  const bare = withoutCode(text)
  const isBare = BARE_CHANNEL.test(bare)
  if (!isBare && !CHANNEL.test(bare)) return undefined
  const removed = [isBare ? 'a model’s channels' : 'a model’s channels (<|channel|>)']
  const final = [...text.matchAll(FINAL)].at(-1)
  const at = isBare ? text.lastIndexOf(BARE_FINAL) : (final?.index ?? -1)
  if (at < 0) return isBare && !bare.includes('assistant') ? undefined : { text: '', removed, isCut: true }
  const rest = text.slice(at + (isBare ? BARE_FINAL.length : (final?.[0].length ?? 0)))
  const answer = rest.split(CHANNEL_END, 1)[0] ?? ''
  return { text: answer, removed, isCut: answer.trim() === '' }
}

/** Returns a text without the thoughts that models write before or between parts of an answer, and the names of their marks. */
export const withoutThoughts = (text: string): Thoughtless => {
  const channels = withoutChannels(text)
  if (channels) return channels
  const found = thoughtsIn(text)
  let kept = ''
  let at = 0
  for (const { start, end } of found) {
    kept = start < at ? '' : kept + text.slice(at, start)
    at = Math.min(end, text.length)
  }
  kept += text.slice(at)
  const answer = withoutTokens(kept)
  const marks = [...new Set(found.map(({ mark }) => `a model’s thoughts (${name(mark)})`))]
  return {
    text: answer,
    removed: [...marks, ...(answer === kept ? [] : ['special tokens of a model'])],
    isCut: found.length > 0 && (found.at(-1)?.end === Number.POSITIVE_INFINITY || answer.trim() === ''),
  }
}

const withoutTokens = (text: string): string => {
  const bare = withoutCode(text)
  let kept = ''
  let at = 0
  for (const { 0: token, index } of bare.matchAll(TOKENS)) {
    kept += text.slice(at, index)
    at = index + token.length
  }
  return kept + text.slice(at)
}
