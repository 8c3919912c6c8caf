import { element, type HtmlNode, isElement, textOf } from '../../../content/html/tree.ts'

const MIN_QUESTIONS = 2

const isQuestion = (node: HtmlNode | undefined): boolean => {
  if (!node || !isElement(node) || node.tag !== 'p') return false
  const text = textOf([node])
  return /[?？]$/.test(text) && text.length <= 200 && !/[.!?？]\s/.test(text)
}

const isAnswer = (node: HtmlNode | undefined): boolean =>
  node !== undefined && isElement(node) && /^(p|ul|ol)$/.test(node.tag) && !isQuestion(node)

/**
 * Takes questions with their answers out of notes that ask two or more, for a section of their own at the end. `FAQ` is what
 * such a section is called in most languages.
 */
export const takeQuestions = (blocks: readonly HtmlNode[]) => {
  const rest: HtmlNode[] = []
  const pairs: HtmlNode[] = []
  let count = 0
  for (let at = 0; at < blocks.length; at += 1) {
    const node = blocks[at]
    if (!node) continue
    if (!isQuestion(node) || !isAnswer(blocks[at + 1])) {
      rest.push(node)
      continue
    }
    count += 1
    pairs.push(element('h3', [{ text: textOf([node]) }]))
    const answer = blocks[at + 1]
    if (answer) pairs.push(answer)
    at += 1
  }
  if (count < MIN_QUESTIONS) return { rest: [...blocks], questions: [] }
  return { rest, questions: [{ heading: 'FAQ', nodes: pairs }] }
}
