import { docsApp } from './app.tsx'

export default docsApp()
