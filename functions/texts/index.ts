import { withRequestId } from '../../src/platform/lib/request-scope.ts'
import { createLog, errorFields } from '../../src/platform/runtime/log.ts'
import { answerText } from './app.ts'

const log = createLog({ worker: 'texts' })

export default {
  fetch: withRequestId(async (request) => {
    try {
      return await answerText(request)
    } catch (error) {
      log('error', 'texts.failed', errorFields(error))
      return Response.json({ error: 'The text could not be read.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler
