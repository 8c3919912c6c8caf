import { builtInWriter } from '../../src/providers/built-in-writer/index.ts'
import { imageMaker } from '../../src/providers/images/index.ts'
import { parseImageSettings, parseWriterSettings } from '../../src/runtime/env.ts'
import { createLog, errorFields } from '../../src/runtime/log.ts'
import { traced } from '../../src/runtime/traced.ts'
import type { Writer } from '../../src/writing/port.ts'
import { writerApp } from './app.ts'

const log = createLog({ worker: 'writer' })

/** A language model's SDK is loaded only where one is asked. */
const writerFrom = async (env: Record<string, unknown>): Promise<Writer> => {
  const settings = parseWriterSettings(env)
  if (settings.provider === 'built-in') return builtInWriter()
  const { llmWriter } = await import('../../src/providers/llm/index.ts')
  const { modelOf } = await import('../../src/providers/llm/models.ts')
  return llmWriter(modelOf(settings, env.AI), () => new Date())
}

let app: Promise<ReturnType<typeof writerApp>> | undefined

export default {
  fetch: traced(async (request, env: Record<string, unknown>) => {
    app ??= writerFrom(env).then((writer) => writerApp(writer, imageMaker(parseImageSettings(env), env.AI)))
    try {
      return await (await app).fetch(request)
    } catch (error) {
      app = undefined
      log('error', 'writer.failed', errorFields(error))
      return Response.json({ error: 'The writer cannot work.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler<Record<string, unknown>>
