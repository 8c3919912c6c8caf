import type { Writer } from '../../src/content/writing/port.ts'
import { ok } from '../../src/platform/jobs/provider-ask.ts'
import { withRequestId } from '../../src/platform/lib/request-scope.ts'
import { parseOutboundEnv } from '../../src/platform/runtime/env.ts'
import { createLog, errorFields } from '../../src/platform/runtime/log.ts'
import { createOutbound, type Outbound, userAgentOf } from '../../src/platform/runtime/outbound.ts'
import { parseImageSettings, parseWriterSettings } from '../../src/platform/runtime/provider-env.ts'
import { builtInWriter } from '../../src/providers/models/built-in-writer/index.ts'
import { checkImages, imageMaker } from '../../src/providers/models/images/index.ts'
import { lookUpModel } from '../../src/providers/models/look-up.ts'
import type { PostWriter } from '../../src/reach/social/port.ts'
import { type ModelChecks, writerApp } from './app.ts'

const log = createLog({ worker: 'writer' })
const now = () => new Date()

/** Writes no posts, because the built-in writer only arranges given texts. */
const NO_POST_WRITER: PostWriter = { posts: async () => ({ kind: 'none' }) }

const outboundFrom = (env: unknown): Outbound => {
  const deps = parseOutboundEnv(env)
  const { allowPrivateHosts, dnsQueryUrl } = deps
  return createOutbound({ allowLoopback: allowPrivateHosts, dnsQueryUrl, userAgent: userAgentOf(deps), log, now })
}

/** Returns the writers of the settings. A language model's SDK is loaded only if the settings name a model. */
const writersFrom = async (
  env: Record<string, unknown>,
): Promise<{
  writer: Writer
  posts: PostWriter
  check: ModelChecks['writer']
}> => {
  const settings = parseWriterSettings(env)
  if (settings.provider === 'built-in')
    return {
      writer: builtInWriter(),
      posts: NO_POST_WRITER,
      check: async () => ok('the built-in writer asks nobody'),
    }
  const { checkModel, llmWriter } = await import('../../src/providers/models/llm/index.ts')
  const { llmPostWriter } = await import('../../src/providers/models/llm/posts.ts')
  const { modelOf } = await import('../../src/providers/models/llm/models.ts')
  const model = modelOf(settings, env.AI, userAgentOf(parseOutboundEnv(env)))
  const asked = { model, now, secret: settings.apiKey }
  const check = () => checkModel(settings, asked, outboundFrom(env))
  return { writer: llmWriter(asked), posts: llmPostWriter(asked), check }
}

let app: Promise<ReturnType<typeof writerApp>> | undefined

export default {
  fetch: withRequestId(async (request, env: Record<string, unknown>) => {
    app ??= writersFrom(env).then(({ writer, posts, check }) => {
      const outbound = outboundFrom(env)
      const settings = parseImageSettings(env)
      const images = imageMaker(settings, env.AI, outbound)
      const checks: ModelChecks = {
        writer: check,
        images: (isPaid) => checkImages(settings, images, { outbound, isPaid }),
      }
      const written = parseWriterSettings(env)
      const models = () =>
        Promise.all([
          ...(written.provider === 'built-in' ? [] : [lookUpModel(outbound, 'writer', written)]),
          ...(settings.provider === 'none' ? [] : [lookUpModel(outbound, 'images', settings)]),
        ])
      return writerApp({ writer, posts, images, checks, models }, log)
    })
    try {
      return await (await app).fetch(request)
    } catch (error) {
      app = undefined
      log('error', 'writer.failed', errorFields(error))
      return Response.json({ error: 'The writer cannot work.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler<Record<string, unknown>>
