import { httpWorker } from '../../src/http/worker.ts'
import { researchApp } from './app.ts'

export default httpWorker('research', researchApp)
