import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { monthTable, monthTotal } from '../bench/prices.ts'
import { storageTable, thousandArticles } from '../bench/storage.ts'

it('the documented monthly cost of a small customer is the computed one', () => {
  const costs = readFileSync(join(ROOT, 'docs/operations/costs.md'), 'utf8')
  expect(costs).toContain(monthTable())
  expect(costs).toContain(`about $${monthTotal().all.toFixed(0)} a month`)
  expect(costs).toContain(`about $${monthTotal().own.toFixed(0)} with keys of the customer's own`)
})

it('the documented storage has the retention of the code', () => {
  const costs = readFileSync(join(ROOT, 'docs/operations/costs.md'), 'utf8')
  expect(costs).toContain(storageTable())
  const { gb, dollars } = thousandArticles()
  expect(costs).toContain(`A thousand articles with history take about ${gb} GB of the database: $${dollars} a month`)
})
