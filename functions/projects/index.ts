import { httpWorker } from '../../src/platform/http/worker.ts'
import { projectsApp } from './app.ts'

export default httpWorker({ name: 'projects', seals: true }, projectsApp)
