import { httpWorker } from '../../src/http/worker.ts'
import { insightsApp } from './app.ts'

export default httpWorker('insights', insightsApp)
