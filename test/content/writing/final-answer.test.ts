import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { finalAnswer, htmlOf, jsonOf } from '../../../src/providers/models/llm/final-answer.ts'
import { cpuMs } from '../../support/cpu-time.ts'

/** Returns the final HTML of a model's answer, on one line. */
const made = (text: string): string | undefined => {
  const answer = finalAnswer(text)
  return answer.kind === 'answer'
    ? htmlOf(answer.text)
        ?.replace(/\s*\n\s*/g, '')
        .trim()
    : answer.kind
}

const WORDS =
  'Oak lasts long because its heartwood is dense, and because the tannins in it keep insects and fungi away. '
const LONG = WORDS.repeat(3).trim()

describe('the article in an answer is kept whole, and only what is known to wrap it is removed', () => {
  it.each([
    ['HTML alone', '<p>One.</p><p>Two.</p>', '<p>One.</p><p>Two.</p>'],
    ['text behind the last tag', '<p>One.</p>\nThe key is drainage.', '<p>One.</p><p>The key is drainage.</p>'],
    ['text before the first tag', 'The key is drainage.\n<p>One.</p>', '<p>The key is drainage.</p><p>One.</p>'],
    [
      'text between tags',
      '<p>One.</p>\n\nThe key is **drainage**.\n\nAnd sun.\n\n<ul><li>Two.</li></ul>',
      '<p>One.</p><p>The key is <strong>drainage</strong>.</p><p>And sun.</p><ul><li>Two.</li></ul>',
    ],
    ['inline tags outside of blocks', 'Oak <b>lasts</b>.\n<p>One.</p>', '<p>Oak <b>lasts</b>.</p><p>One.</p>'],
    [
      'Markdown',
      '## Wood\n\nOak *lasts*.\n\n- a\n- b',
      '<h2>Wood</h2><p>Oak <em>lasts</em>.</p><ul><li>a</li><li>b</li></ul>',
    ],
    ['Markdown with HTML', '## Wood\n\n<p>Oak.</p>', '<h2>Wood</h2><p>Oak.</p>'],
    ['paragraphs without marks', `One.\n\nTwo.`, '<p>One.</p><p>Two.</p>'],
    ['a long paragraph without marks', LONG, `<p>${LONG}</p>`],
    ['a code block', '```html\n<p>One.</p>\n```', '<p>One.</p>'],
    ['a code block that is cut off', '```html\n<p>One.</p>', '<p>One.</p>'],
    [
      'text behind a code block',
      '```html\n<p>One.</p>\n```\n\nThe key is drainage.',
      '<p>One.</p><p>The key is drainage.</p>',
    ],
    ['a code block without a language', '```\n<p>One.</p>\n```', '<p>One.</p>'],
    [
      'a block of code',
      'Run this:\n\n```\nnpm start\n```\n\nThen wait.',
      '<p>Run this:</p><pre><code>npm start</code></pre><p>Then wait.</p>',
    ],
    ['a code block of Markdown', '```markdown\n## Wood\n\nOak.\n```', '<h2>Wood</h2><p>Oak.</p>'],
    [
      'words around a code block',
      'Of course! Here it is:\n\n```html\n<p>One.</p>\n```\n\nShall I go on?',
      '<p>One.</p>',
    ],
    ['words around HTML', 'Here is the section:\n\n<p>One.</p>\n\nLet me know if you want more.', '<p>One.</p>'],
    [
      'words around Markdown',
      "Sure! Here's the section:\n\n## Wood\n\nOak.\n\nShall I continue?",
      '<h2>Wood</h2><p>Oak.</p>',
    ],
    ['JSON around HTML', JSON.stringify({ html: '<p>One.</p>' }), '<p>One.</p>'],
    ['tags of an answer', '<answer>\n<p>One.</p>\n</answer>', '<p>One.</p>'],
    ['tags around Markdown', '<response>\n## Wood\n\nOak.\n</response>', '<h2>Wood</h2><p>Oak.</p>'],
    ['thoughts with HTML', '<think><p>Draft.</p></think><p>One.</p>', '<p>One.</p>'],
    ['thoughts within a code block', '```html\n<think>Draft.</think>\n<p>One.</p>\n```', '<p>One.</p>'],
    [
      'a code block within the article',
      '<p>Run:</p><pre><code>npm &lt;start&gt;</code></pre>',
      '<p>Run:</p><pre><code>npm &lt;start&gt;</code></pre>',
    ],
  ])('%s', (_, text, html) => expect(made(text)).toBe(html))

  it.each(['I would rather talk about the weather.', '', '{}'])(
    'a short text without any mark is no article: %j',
    (text) => expect(made(text)).toBeUndefined(),
  )

  it.each([
    "I'm sorry, but I can't help with that.",
    'I cannot write about this topic.\n\nPlease choose another one.',
    'Es tut mir leid, aber ich kann dabei nicht helfen.',
    'Lo siento, pero no puedo ayudar con eso.',
    '抱歉，我无法满足这个要求。',
  ])('a refusal is one: %j', (text) => expect(made(text)).toBe('declined'))

  it.each(['<think>Plan.', '<p>One.</p><think>', '<|channel|>analysis<|message|>Plan.'])(
    'a cut answer is one: %j',
    (text) => expect(made(text)).toBe('cut'),
  )
})

describe('marks of sources are removed, and their sentences stay', () => {
  it.each([
    'Oak lasts 20 years citeturn0search0.',
    'Oak lasts 20 years.citeturn0search0turn1news12',
    'Oak lasts 20 years\ue200cite\ue202turn0search0\ue202turn0search1\ue201.',
    'Oak lasts 20 years【4:1†source】.',
    'Oak lasts 20 years 【12†L3-L9】.',
    'Oak lasts 20 years [4:1†source].',
    'Oak lasts 20 years:contentReference[oaicite:0]{index=0}.',
    'Oak lasts 20 years [1].',
    'Oak lasts 20 years[1][2].',
    'Oak lasts 20 years [1, 2].',
    'Oak lasts 20 years[^1].',
    'Oak lasts 20 years [cite: 1, 2].',
    '[cite_start]Oak lasts 20 years.',
    'Oak lasts 20 years [web:3].',
    'Oak lasts 20 years\uf8ff.',
  ])('%j', (sentence) => expect(made(`<p>${sentence}</p>`)).toBe('<p>Oak lasts 20 years.</p>'))

  it.each([
    '<p>Write <code>a[1]</code> or <code>【4:1†source】</code>.</p>',
    '<p>See <a href="https://a.example">[1]</a>.</p>',
    '<p>It takes [about] 20 turns.</p>',
  ])('what is none stays: %j', (html) => expect(made(html)).toBe(html))
})

describe('JSON is found by its shape', () => {
  const shape = z.object({ x: z.string() })
  it.each([
    ['{"x": "a"}', 'a'],
    ['{not json} {"y": {"x": "a"}} }', 'a'],
    ['First {"x": "draft"}, then {"x": "final"}', 'final'],
    ['{"x": 1} {"x": "}\\"{"}', '}"{'],
    ['"{" {"x": "a"}', 'a'],
    ['{ "x": "a" ', undefined],
    ['', undefined],
  ])('%j', (text, found) => expect(jsonOf(text, shape)?.x).toBe(found))

  it('in bounded time', () => {
    for (const part of ['{"', '{"a":', '{"x": "a"}', '}', '{ ']) {
      const startedAt = cpuMs()
      jsonOf(part.repeat(200_000 / part.length), shape)
      htmlOf(part.repeat(200_000 / part.length))
      expect(cpuMs() - startedAt, part).toBeLessThan(2_000)
    }
  })
})
