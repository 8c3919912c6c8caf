import { httpWorker } from '../../src/http/worker.ts'
import { reachApp } from './app.ts'

export default httpWorker('reach', reachApp)
