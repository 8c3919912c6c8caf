import { createLog, errorFields } from '../../src/runtime/log.ts'
import { traced } from '../../src/runtime/traced.ts'
import { answerText } from './app.ts'

const log = createLog({ worker: 'texts' })

export default {
  fetch: traced(async (request) => {
    try {
      return await answerText(request)
    } catch (error) {
      log('error', 'texts.failed', errorFields(error))
      return Response.json({ error: 'The text could not be read.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler
