import { describe, expect, it } from 'vitest'
import { textsInProcess } from '../../../functions/texts/app.ts'
import { DEFAULT_MODELS, lastDayOf } from '../../../schema/values/models.ts'
import {
  asksByTask,
  changeOf,
  chosenModel,
  countScan,
  hasOtherModel,
  promptKey,
  wilson,
  withAnswered,
} from '../../../src/insights/visibility/rules.ts'
import { autoPrompts } from '../../../src/insights/visibility/scan/auto-prompts.ts'
import { keptOf } from '../../../src/insights/visibility/scan/keep.ts'

describe('intervals and changes', () => {
  it('are those of published tables', () => {
    expect(wilson({ n: 10, share: 0.5 })).toEqual({ low: 0.2366, high: 0.7634 })
    expect(wilson({ n: 10, share: 0 })).toEqual({ low: 0, high: 0.2775 })
    expect(wilson({ n: 10, share: 1 })).toEqual({ low: 0.7225, high: 1 })
    expect(wilson({ n: 263, share: 81 / 263 })).toEqual({ low: 0.2553, high: 0.3662 })
    expect(wilson({ n: 0, share: 0 })).toBeNull()
  })

  it('a change needs more than chance, in either direction', () => {
    const rate = (share: number, n = 100) => ({ share, n })
    expect(changeOf(rate(0.64), rate(0.5))).toBe('up')
    expect(changeOf(rate(0.63), rate(0.5))).toBe('within_noise')
    expect(changeOf(rate(0.36), rate(0.5))).toBe('down')
    expect(changeOf(rate(1, 5), rate(0.4, 5))).toBe('up')
    expect(changeOf(rate(1, 4), rate(0.5, 4))).toBe('within_noise')
    expect(changeOf(rate(0), rate(0))).toBe('within_noise')
    expect(changeOf(rate(0, 0), rate(1))).toBeNull()
    expect(changeOf(rate(1), undefined)).toBeNull()
  })
})

describe('the answers of a scan', () => {
  const of = { name: 'Acme', siteKey: 'acme.com', competitors: ['rival.com'], language: 'pl' }
  const kept = async (text: string, prompt: string) => {
    const asked = { model: 'm', surface: 'api', location: 'PL', costUsd: 0.01 } as const
    const settled = await keptOf(textsInProcess, { kind: 'answered', text, citations: [], ...asked }, of, prompt)
    return { promptId: 1, engine: 'chatgpt' as const, ...settled }
  }

  it('that are unclear are gaps with their text, and count neither as a mention nor as none', async () => {
    const rows = [
      await kept('Nic nie wiem o Acme, ale jest https://rival.com/x.', 'Co wiesz o Acme?'),
      await kept('Acme buduje altany.', 'Kto buduje altany?'),
    ]
    expect(rows[0]).toMatchObject({
      state: 'no_data',
      reason: 'unclear',
      text: expect.stringContaining('Nic nie wiem'),
    })
    expect(countScan(rows, ['rival.com'])).toMatchObject({
      asked: 2,
      gaps: 1,
      answers: 1,
      mentioned: 1,
      competitorCitations: 1,
      engines: expect.arrayContaining([expect.objectContaining({ engine: 'chatgpt', reasons: { unclear: 1 } })]),
    })
  })

  it('that cite one page in several ways count one page', async () => {
    const rows = await Promise.all(
      [
        'https://acme.com/a',
        'http://www.acme.com/a/?utm_source=openai',
        'https://acme.com/?p=59',
        'https://acme.com/?p=60',
      ].map((url) => kept(`Zobacz ${url}.`, 'Kto?')),
    )
    expect(countScan(rows, []).views.pages.map(({ url, citations }) => [url, citations])).toEqual([
      ['https://acme.com/a', 2],
      ['https://acme.com/?p=59', 1],
      ['https://acme.com/?p=60', 1],
    ])
  })
})

describe('the model of a scan', () => {
  const models = (...names: string[]) =>
    names.map((name) => ({ name, reasons: false, searches: !name.includes('silent'), queued: true }))

  it.each<[string, string[], string, boolean]>([
    ['gpt-6-luna', ['gpt-7', 'gpt-6-luna'], 'gpt-6-luna', true],
    ['gpt-4.1', ['gpt-4.1-2025-04-14', 'gpt-4.1-2026-01-02', 'gpt-6-luna'], 'gpt-4.1-2026-01-02', true],
    ['gpt-4.1', ['gpt-4.1-mini-2025-04-14', 'gpt-5.10', 'gpt-5.9'], 'gpt-5.10', false],
    ['gpt-4.1', ['gpt-7-silent', 'gpt-6-luna', 'o3', 'gpt-oss-120b'], 'gpt-6-luna', false],
    ['gemini-2.5-flash', ['gemini-3.5-pro', 'gemini-3.5-flash-lite', 'gemini-3.5-flash'], 'gemini-3.5-flash', false],
    ['gpt-5', ['gpt-6-2026-01-01', 'gpt-6-2026-05-01'], 'gpt-6-2026-05-01', false],
    ['sonar-old', ['sonar-pro', 'sonar', 'sonar-reasoning-pro'], 'sonar', false],
    ['gpt-6-luna', [], 'gpt-6-luna', false],
  ])('configured as %s among %j is %s', (configured, names, name, isListed) => {
    expect(chosenModel('chatgpt', configured, models(...names))).toMatchObject({ model: { name }, isListed })
  })

  it('differs if other names answered or were requested; an unknown one does not differ', () => {
    const [asked] = models('gpt-6-luna')
    const scan = (answered?: string, name?: string) => ({
      chatgpt: { ...(answered ? { answered } : {}), ...(asked && name ? { asked: { ...asked, name } } : {}) },
    })
    const isOther = (now: object, before: object) => hasOtherModel('chatgpt', now, before)
    expect(isOther(scan('gpt-6-luna'), scan('gpt-4.1-2025-04-14'))).toBe(true)
    expect(isOther(scan('gpt-6-1', 'gpt-6'), scan('gpt-6-1', 'gpt-6-1'))).toBe(false)
    expect(isOther(scan('gpt-6-2', 'gpt-6'), scan('gpt-6-1', 'gpt-6'))).toBe(true)
    expect(isOther(scan(undefined, 'gpt-6'), scan('gpt-5', 'gpt-5'))).toBe(true)
    expect(isOther(scan('gpt-6'), {})).toBe(false)
    expect(
      withAnswered({ gemini: {} }, [
        { engine: 'chatgpt', model: 'b' },
        { engine: 'chatgpt', model: 'a' },
        { engine: 'google_ai_mode', model: null },
      ]),
    ).toEqual({ chatgpt: { answered: 'a b' } })
  })
})

it('questions are tasks if the model answers so, and in weekly scans if tasks cost less', () => {
  const model = (queued: boolean) => ({ name: 'm', reasons: false, searches: true, queued })
  expect(asksByTask('manual', model(true), false)).toBe(true)
  expect(asksByTask('weekly', model(false), false)).toBe(false)
  expect(asksByTask('manual', undefined, true)).toBe(false)
  expect(asksByTask('weekly', undefined, true)).toBe(true)
})

describe('models that the settings do not name', () => {
  it('are known, and do not end within 30 days', () => {
    for (const name of Object.values(DEFAULT_MODELS)) {
      const ends = lastDayOf(name)
      expect(ends, name).toBeDefined()
      if (ends) expect(Date.parse(ends) - Date.now(), name).toBeGreaterThan(30 * 86_400_000)
    }
    expect(lastDayOf('gpt-4.1-2025-04-14')).toBe('2027-01-14')
  })
})

describe('prompts of the service’s own', () => {
  const context = {
    name: 'Timberline',
    description: 'Timberline builds garden sheds, log cabins and wooden bike stores.',
    pillars: ['https://timberline.example/guides/garden-offices.html'],
    competitors: ['oakhut.example', 'shedworld.example', 'third.example'],
    audience: ['home owners'],
    language: 'English (UK)',
    topics: 'summer houses\nTimberline sheds',
  }

  it('are at most ten, the same for the same context, each once, and never with the name of the business', () => {
    const prompts = autoPrompts(context)
    expect(prompts).toEqual(autoPrompts(context))
    expect(prompts).toHaveLength(10)
    expect(new Set(prompts.map(promptKey)).size).toBe(10)
    expect(prompts.join('\n')).not.toMatch(/timberline/i)
    for (const part of ['garden offices', 'log cabins', 'summer houses', 'home owners', 'oakhut.example'])
      expect(prompts.join('\n')).toContain(part)
    expect(prompts.join('\n')).not.toContain('third.example')
  })

  it.each(['German', 'French', 'Spanish (MX)', 'Italian', 'Dutch', 'Portuguese (BR)'])(
    'are asked in %s',
    (language) => {
      const prompts = autoPrompts({ ...context, language })
      expect(prompts.length).toBeGreaterThan(4)
      expect(prompts.every((prompt) => /[?]$/.test(prompt) && !/\b(which|what|who)\b/i.test(prompt))).toBe(true)
    },
  )

  it('are the topics themselves in an unsupported language, and none without topics', () => {
    const polish = { ...context, language: 'Polish', description: 'Domki ogrodowe', topics: 'altany', pillars: [] }
    expect(autoPrompts(polish)).toContain('altany')
    const empty = { name: '', description: '', pillars: [], competitors: [], audience: [], language: 'x', topics: '' }
    expect(autoPrompts(empty)).toEqual([])
  })

  it('fit within their length, whatever the context', () => {
    const long = {
      ...context,
      topics: 'a '.repeat(400),
      audience: ['y'.repeat(400)],
      pillars: ['https://a.example/%ff-%00'],
    }
    for (const prompt of autoPrompts(long)) expect(prompt.length).toBeLessThanOrEqual(300)
  })
})
