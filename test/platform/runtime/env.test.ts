import { describe, expect, it } from 'vitest'
import {
  baseUrl,
  matching,
  number,
  readEnv,
  requiredText,
  text,
  url,
  wordOf,
} from '../../../src/platform/runtime/read-env.ts'

const SHAPE = {
  TOKEN: requiredText,
  ADDRESS: url(),
  API: url('https://api.example.com'),
  HOOK: url(''),
  NAME: matching(/^[A-Z]\w*$/, 'Galley'),
  NOTE: text('none'),
  WAIT: number([1, 60], 10),
  WHO: wordOf(['built-in', 'model']),
}
const NEEDED = { TOKEN: 't', ADDRESS: 'https://galley.example' }

describe('settings', () => {
  it('have the service’s default if they are not set', () => {
    expect(readEnv(SHAPE, NEEDED)).toEqual({
      ...NEEDED,
      API: 'https://api.example.com',
      HOOK: '',
      NAME: 'Galley',
      NOTE: 'none',
      WAIT: 10,
      WHO: 'built-in',
    })
  })

  it('that are set are used, a number by its value', () => {
    const set = {
      TOKEN: 'secret',
      ADDRESS: 'http://127.0.0.1:8787',
      API: 'https://other.example.com/v3',
      HOOK: 'https://hooks.example.com',
      NAME: 'Harbour',
      NOTE: '',
      WHO: 'model',
    }
    expect(readEnv(SHAPE, { ...set, WAIT: '2.5' })).toEqual({ ...set, WAIT: 2.5 })
    for (const WAIT of [1, '1', 60]) expect(readEnv(SHAPE, { ...set, WAIT }).WAIT).toBe(Number(WAIT))
  })

  it.each([
    ['TOKEN', ''],
    ['TOKEN', undefined],
    ['TOKEN', { fetch: 'a binding' }],
    ['ADDRESS', undefined],
    ['ADDRESS', ''],
    ['ADDRESS', 'galley.example'],
    ['API', ''],
    ['API', 'api'],
    ['HOOK', 'hook'],
    ['HOOK', 7],
    ['NAME', 'harbour'],
    ['NAME', ''],
    ['NOTE', {}],
    ['NOTE', null],
    ['WAIT', 0],
    ['WAIT', '61'],
    ['WAIT', 'soon'],
    ['WAIT', ''],
    ['WHO', 'nobody'],
    ['WHO', ''],
  ])('%s that is %j is refused by its name, without its value', (name, value) => {
    expect(() => readEnv(SHAPE, { ...NEEDED, [name]: value })).toThrow(
      new Error(`Configuration is missing or malformed: ${name}`),
    )
  })

  it('have no slash at the end of an address to which paths are added', () => {
    const read = (BASE: string) => readEnv({ BASE: baseUrl('') }, { BASE }).BASE
    expect(['https://a.example/v3//', ' https://a.example/', ''].map(read)).toEqual([
      'https://a.example/v3',
      'https://a.example',
      '',
    ])
    expect(() => read('a.example/')).toThrow('BASE')
  })

  it('are refused together', () => {
    expect(() => readEnv(SHAPE, { WAIT: 0 })).toThrow('missing or malformed: TOKEN, ADDRESS, WAIT')
  })
})
