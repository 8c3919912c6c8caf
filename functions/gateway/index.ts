import { gatewayApp } from './app.ts'

export default gatewayApp()
