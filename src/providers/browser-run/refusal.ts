import { clip, withStop } from '../../platform/lib/text.ts'

/** Returns Browser Run's refusal in its own words: of a 429 they tell the day's limit from the browsers at once. */
export const refusalOf = async (answer: Response): Promise<string> => {
  const words = clip((await answer.text()).replace(/\s+/g, ' ').trim(), 200)
  return withStop(`Browser Run answered ${answer.status}${words === '' ? '' : `: ${words}`}`)
}
