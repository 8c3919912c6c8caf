import { httpWorker } from '../../src/http/worker.ts'
import { connectionForms, targetFactory } from '../../src/providers/targets.ts'
import { publishingApp } from './app.ts'

export default httpWorker('publishing', (deps) => publishingApp(deps, targetFactory(deps), connectionForms))
