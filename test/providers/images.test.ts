import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningImages, startImages } from '../../local/images/server.ts'
import { checkImages } from '../../scripts/deploy/checks/images.ts'
import type { Settings } from '../../scripts/deploy/settings.ts'
import { WORKERS_AI_IMAGES } from '../../src/platform/runtime/image-models.ts'
import { createOutbound, type Outbound } from '../../src/platform/runtime/outbound.ts'
import { parseImageSettings } from '../../src/platform/runtime/provider-env.ts'
import { imageMaker } from '../../src/providers/models/images/index.ts'

const KEY = 'images-key'
let standIn: RunningImages
beforeAll(async () => {
  standIn = await startImages(KEY)
})
afterAll(() => standIn.close())

const outbound = createOutbound({
  allowLoopback: true,
  dnsQueryUrl: '',
  userAgent: 'Galley/test',
  log: () => {},
  now: () => new Date(),
})

describe('a model of OpenAI', () => {
  const settings = (more: Record<string, string> = {}) =>
    parseImageSettings({
      IMAGES_PROVIDER: 'openai-compatible',
      IMAGES_BASE_URL: standIn.baseUrl,
      IMAGES_API_KEY: KEY,
      IMAGES_MODEL: 'gpt-image-2.6-flare',
      ...more,
    })
  const made = (more: Record<string, string> = {}, through: Outbound = outbound) =>
    imageMaker(settings(more), undefined, through).make('A shed')

  it('uses the quality of the settings, and has three minutes', async () => {
    const waited: number[] = []
    const noting: Outbound = (request) => {
      waited.push(request.timeoutMs)
      return outbound(request)
    }
    expect(await made({ IMAGES_QUALITY: 'high' }, noting)).toMatchObject({ kind: 'made' })
    expect(standIn.heard().at(-1)).toMatchObject({ quality: 'high', size: '1536x1024' })
    expect(await made()).toMatchObject({ kind: 'made' })
    expect(standIn.heard().at(-1)).not.toHaveProperty('quality')
    expect(waited).toEqual([180_000])
  })

  it.each([
    [{ IMAGES_MODEL: 'gpt-image-1.5' }, 'does not exist'],
    [{ IMAGES_QUALITY: 'splendid' }, "'splendid'"],
    [{ IMAGES_API_KEY: 'wrong' }, 'Incorrect API key'],
  ])('is refused with its words: %j', async (more, words) => {
    expect(await made(more)).toMatchObject({ kind: 'failed', reason: expect.stringContaining(words) })
  })

  it('gets no response_format, which others need', async () => {
    const ask = (model: string) =>
      fetch(`${standIn.baseUrl}/images/generations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          'user-agent': 'Galley/test',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model, prompt: 'A shed', n: 1, size: '64x64', response_format: 'b64_json' }),
      })
    expect((await ask('gpt-image-2.6-flare')).status).toBe(400)
    expect((await ask('painter-1')).status).toBe(200)
    expect(await made({ IMAGES_MODEL: 'painter-1' })).toMatchObject({ kind: 'made' })
  })
})

describe('a model of Workers AI', () => {
  const PICTURE = btoa('picture')

  /** Accepts the fields that each model's page documents, and refuses all others, as the platform does. */
  const ai = {
    run: async (model: string, input: Record<string, unknown>) => {
      const { multipart, ...fields } = input as { multipart?: { body: ReadableStream; contentType: string } }
      if (/flux-2/.test(model)) {
        if (!multipart || Object.keys(fields).length > 0) throw new Error('5006: required properties: multipart')
        const headers = { 'content-type': multipart.contentType }
        const form = await new Response(multipart.body, { headers }).formData()
        expect(Object.fromEntries(form)).toEqual({ prompt: 'A shed', width: '1216', height: '640' })
        return { image: PICTURE }
      }
      if (/flux-1/.test(model)) {
        if (Object.keys(input).join() !== 'prompt') throw new Error('5006: additional properties')
        return { image: PICTURE }
      }
      expect(input).toEqual({ prompt: 'A shed', width: 1216, height: 640 })
      return /lucid/.test(model) ? { image: PICTURE } : new Response('picture').body
    },
  }

  it.each(Object.keys(WORKERS_AI_IMAGES))('%s is asked as it wants to be', async (model) => {
    const settings = parseImageSettings({ IMAGES_PROVIDER: 'workers-ai', IMAGES_MODEL: model })
    const answer = await imageMaker(settings, ai, outbound).make('A shed')
    expect(answer.kind === 'made' ? new TextDecoder().decode(answer.bytes) : answer).toBe('picture')
  })

  it('that is not in the table is refused when the service is deployed', () => {
    const settings = (model: string) => ({ IMAGES_PROVIDER: 'workers-ai', IMAGES_MODEL: model }) as unknown as Settings
    expect(() => checkImages(settings('@cf/unknown/painter'))).toThrow(/IMAGES_MODEL must be one of: .*flux-2-klein-9b/)
    expect(() => checkImages(settings('@cf/leonardo/lucid-origin'))).not.toThrow()
    expect(() => checkImages({} as Settings)).not.toThrow()
  })
})
