import { judge, readContent } from './assess.ts'
import { optimiseForPublication } from './publication.ts'
import type { JudgedText, ToJudge, ToOptimise } from './work.ts'

/** Judges an article by what was found around it, reading its stored content where no reading is given. */
export const judgeGiven = ({ found, article, content, before }: ToJudge): JudgedText => {
  const reading = 'html' in content ? readContent(content.html) : content
  return { judgement: judge(found, article, reading, before), hasText: reading.document.text !== '' }
}

/** Optimises an article by what was found around it. */
export const optimiseGiven = async ({ found, article }: ToOptimise) => ({
  optimised: await optimiseForPublication(found, article),
})
