import { describe, expect, it } from 'vitest'
import { withoutThoughts } from '../../../src/platform/lib/thoughts.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const ANSWER = '<p>Oak lasts.</p>'

describe('the thoughts of a model are removed, however it marks them', () => {
  it.each([
    `<think>Plan {"a": 1}.</think>\n${ANSWER}`,
    `<THINK>Plan.</THINK>${ANSWER}`,
    `<thinking>Plan.</thinking>\n\n${ANSWER}`,
    `<thought>Plan.</thought>${ANSWER}`,
    `<reasoning>Plan.</reasoning>${ANSWER}`,
    `<reasoning effort="high">Plan.</reasoning>${ANSWER}`,
    `<antThinking>Plan.</antThinking>${ANSWER}`,
    `<seed:think>Plan.</seed:think>${ANSWER}`,
    `<inner_thoughts>Plan.</inner_thoughts>${ANSWER}`,
    `<thinking_process>Plan.</thinking_process>${ANSWER}`,
    `<plan>First.</plan>${ANSWER}`,
    `[thinking]Plan.[/thinking]${ANSWER}`,
    `Thinking...\nPlan.\n...done thinking.\n\n${ANSWER}`,
    `<analysis>Plan.</analysis>${ANSWER}`,
    `<scratchpad>Plan.</scratchpad>${ANSWER}`,
    `<scratch_pad>Plan.</scratch_pad>${ANSWER}`,
    `[THINK]Plan.[/THINK]${ANSWER}`,
    `◁think▷Plan.◁/think▷${ANSWER}`,
    `<|begin_of_thought|>Plan.<|end_of_thought|><|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
    `<|START_THINKING|>Plan.<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
    `<|channel>thought\nPlan.<channel|>${ANSWER}`,
    `<details type="reasoning" done="true"><summary>Thought</summary>Plan.</details>${ANSWER}`,
    `Plan: first the wood.\n</think>\n${ANSWER}`,
    `<think>One.</think>Two.</think>${ANSWER}`,
    `<think>I write <think> first.</think>${ANSWER}`,
    `<think>So:\n\`\`\`html\n<p>draft\n</think>\n${ANSWER}`,
    `<think></think>${ANSWER}`,
    `${ANSWER}<|im_end|>`,
    `<|channel|>analysis<|message|>Plan {"a": 1}.<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
    `<|channel|>analysis<|message|>A.<|end|><|channel|>commentary<|message|>B.<|end|><|channel|>final <|constrain|>html<|message|>${ANSWER}`,
    `<|channel|>analysis Plan. <|channel|>final ${ANSWER}`,
    `analysisThe user wants a section.assistantfinal${ANSWER}`,
  ])('%j', (text) => {
    const { text: kept, removed, isCut } = withoutThoughts(text)
    expect(kept.trim()).toBe(ANSWER)
    expect(removed).not.toEqual([])
    expect(isCut).toBe(false)
  })
})

it.each([
  '<think>Plan without an end. <p>Maybe this.</p>',
  `${ANSWER}<think>Did I`,
  '[THINK]Plan.',
  '<think>All of it.</think>',
  `${ANSWER}</think>`,
  '<|channel|>analysis<|message|>Plan.<|end|>',
  '<|channel|>final<|message|>',
  'analysisThe user wants a section.assistantcommentary',
])('thoughts without an end, or without an answer after them, are a cut answer: %j', (text) =>
  expect(withoutThoughts(text).isCut).toBe(true),
)

it.each([
  ANSWER,
  'Models write `<think>` before they answer, and `</think>` after.',
  '```html\n<think>Plan.</think>\n```\n\nThat is how it looks.',
  '<p>Use &lt;think&gt; for thoughts.</p>',
  '<details><summary>More</summary>Text</details><p>End.</p>',
  'analysis of sheds is simple.',
  'Thinking...\n\nThat is what owls do.',
  'Think <b>first</b>. [Thinking] helps.',
  'Analysis: <p>x</p>',
])('a text without thoughts stays: %j', (text) =>
  expect(withoutThoughts(text)).toEqual({ text, removed: [], isCut: false }),
)

it('marks are found in bounded time', () => {
  for (const part of [
    '<think>',
    '</think>',
    '`',
    '```\n',
    '<|',
    '[think',
    '<|channel|>',
    '<details ',
    '◁',
    '[thinking]',
    'Thinking...\n',
  ])
    for (const text of [part.repeat(200_000 / part.length), `<think>${part.repeat(200_000 / part.length)}`]) {
      const startedAt = cpuMs()
      withoutThoughts(text)
      expect(cpuMs() - startedAt, text.slice(0, 20)).toBeLessThan(2_000)
    }
})
