import { expect, inject, it } from 'vitest'
import { newArticle, newProject } from '../../support/client.ts'
import { newOwner } from './browser.ts'

const stack = inject('stack')

it.each([
  [5, 0],
  [7, 2],
])('a day of the calendar with %d articles folds %d of them', async (articles, folded) => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  for (let n = 0; n < articles; n += 1)
    await newArticle(api, site, { keyword: `shed ${n}`, status: 'Planned', scheduled_date: `2031-03-10T0${n}:00` })
  const { text } = await person.get(`/p/${site}/calendar?month=2031-03`)
  const day = text.slice(text.indexOf('data-drop="2031-03-10"'), text.indexOf('data-drop="2031-03-11"'))
  expect(day.match(/class="tile/g)).toHaveLength(articles)
  const fold = /<details><summary>(\d+) more<\/summary>(.*?)<\/details>/s.exec(day)
  expect(Number(fold?.[1] ?? 0)).toBe(folded)
  expect(fold?.[2]?.match(/class="tile/g)?.length ?? 0).toBe(folded)
})
