import { judge, readContent } from './assess.ts'
import { optimiseForPublication } from './publication.ts'
import type { JudgedText, ToJudge, ToOptimise } from './work.ts'

const MAX_IMAGES = 50

/** Judges an article by what was found around it, reading its stored content where no reading is given. */
export const judgeGiven = ({ found, article, content, before }: ToJudge): JudgedText => {
  const reading = 'html' in content ? readContent(content.html) : content
  const { text, images } = reading.document
  const addresses = images.map(({ src }) => src).filter((src) => /^https?:\/\//i.test(src))
  return {
    judgement: judge(found, article, reading, before),
    hasText: text !== '',
    images: [...new Set(addresses)].slice(0, MAX_IMAGES),
  }
}

/** Optimises an article by what was found around it. */
export const optimiseGiven = async ({ found, article }: ToOptimise) => ({
  optimised: await optimiseForPublication(found, article),
})
