import { httpWorker } from '../../src/platform/http/worker.ts'
import { articlesApp } from './app.ts'

export default httpWorker({ name: 'articles' }, articlesApp)
