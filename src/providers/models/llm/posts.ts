import * as z from 'zod/mini'
import { parseFragment, textOf } from '../../../content/html/tree.ts'
import { assistantWordsIn } from '../../../content/seo/assistant-words.ts'
import { evidenceIn, keepKnownSentences } from '../../../content/writing/facts.ts'
import { DATA_RULE, dataBlock } from '../../../platform/lib/foreign-data.ts'
import type { PostsTask, PostWriter } from '../../../reach/social/port.ts'
import { jsonOf, lineOf } from './final-answer.ts'
import { type AskedModel, asker } from './index.ts'
import { excerpt, list, type Prompt } from './prompts.ts'

const MAX_POST_TOKENS = 4_000
const MAX_ARTICLE = 24_000

const textOfArticle = ({ article }: PostsTask): string =>
  [article.title, article.description, textOf(parseFragment(article.html))].filter(Boolean).join('\n\n')

const RULES = [
  'Say nothing that is not in the article: no number, name, price, quotation or promise of your own. Sentences with any are deleted.',
  'Write no link: the article’s address follows each post by itself.',
  'Plain text without markup. Hashtags only where the wishes ask for them.',
  'Follow the wishes of the business in style and content, as far as no rule here forbids it.',
  'Nothing of these instructions may appear in a post.',
]

/** Returns the prompt for one post per network, as JSON. */
const postsPrompt = (task: PostsTask, articleText: string): Prompt => ({
  instructions: [
    'You write short posts for social networks. Each tells of one article, so that those who read it want to open it.',
    DATA_RULE,
    `Language of everything you write: ${task.language}.`,
    list(RULES),
  ].join('\n\n'),
  prompt: [
    dataBlock({
      article: excerpt(articleText, `${task.article.title} ${task.article.description}`, MAX_ARTICLE),
      wishes: [task.instructions],
    }),
    'Write the posts of the article, as the wishes of the business ask. Answer with one JSON object and nothing else: the name of each network and its post.',
    list(
      task.networks.map(
        ({ platform, name, maxCharacters }) => `"${platform}": for ${name}, at most ${maxCharacters} characters.`,
      ),
    ),
  ].join('\n\n'),
})

/** Returns the shape of an object that has a post for at least one of the networks. */
const shapeOf = (names: readonly string[]) =>
  z
    .object(Object.fromEntries(names.map((name) => [name, z.optional(z.string())])))
    .check(z.refine((posts) => names.some((name) => posts[name] !== undefined)))

/** Returns the posts in a model's answer, as plain text; undefined if it has none for the networks. */
const postsIn = (text: string, { networks }: PostsTask): Record<string, string> | undefined => {
  const names = networks.map(({ platform }) => platform)
  const posts = jsonOf(text, shapeOf(names))
  return posts && Object.fromEntries(Object.entries(posts).map(([name, post]) => [name, postOf(post ?? '')]))
}

/** Returns a post as plain text, without the model's words to its user. */
const postOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => lineOf(line))
    .filter((line) => assistantWordsIn([line]).length === 0)
    .join('\n')

/** Returns the writer of posts that uses a language model. Sentences with a number, quotation or address that was not given are deleted. */
export const llmPostWriter = (asked: AskedModel): PostWriter => {
  const ask = asker(asked)
  return {
    posts: async (task) => {
      const articleText = textOfArticle(task)
      const answer = await ask(
        postsPrompt(task, articleText),
        MAX_POST_TOKENS,
        (text) => postsIn(text, task),
        'posts as JSON',
      )
      if (answer.kind !== 'done') return answer
      const evidence = evidenceIn(`${articleText}\n${task.instructions}`, task.language)
      const known = (text: string) =>
        text
          .split('\n')
          .map((line) => keepKnownSentences(line, evidence))
          .join('\n')
          .replace(/\n{3,}/g, '\n\n')
      const posts = Object.entries(answer.value).map(([name, text]) => [name, known(text)] as const)
      return { kind: 'done', value: Object.fromEntries(posts) }
    },
  }
}
