import { type Registry, registryOf } from '../../src/jobs/define.ts'

/** The jobs of the domains that ask other services: each domain adds its own. */
export const registry = (): Registry => registryOf([])
