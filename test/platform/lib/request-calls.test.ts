import { expect, it } from 'vitest'
import { counted, hasCallsLeft, inRequest, spentFields } from '../../../src/platform/lib/request-scope.ts'

it('calls over bindings of a request are counted, and 24 are enough for a run', async () => {
  const binding = counted({ fetch: async () => new Response('') })
  await inRequest('request-1', async () => {
    expect(hasCallsLeft(24)).toBe(true)
    expect(hasCallsLeft(25)).toBe(false)
    for (let n = 0; n < 20; n += 1) await binding.fetch('http://texts/')
    expect(spentFields()).toMatchObject({ binding: 20 })
    expect([hasCallsLeft(4), hasCallsLeft(5)]).toEqual([true, false])
  })
  await inRequest('request-2', async () => expect(hasCallsLeft(24)).toBe(true))
})

it('a failed call counts too', async () => {
  const binding = counted({ fetch: async () => Promise.reject(new Error('gone')) })
  await inRequest('request-3', async () => {
    await expect(binding.fetch('http://cms/')).rejects.toThrow('gone')
    expect(spentFields()).toMatchObject({ binding: 1 })
  })
})
