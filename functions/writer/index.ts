import { builtInWriter } from '../../src/providers/built-in-writer/index.ts'
import { writerApp } from './app.ts'

const app = writerApp(builtInWriter())

export default {
  fetch: (request) => app.fetch(request),
} satisfies ExportedHandler
