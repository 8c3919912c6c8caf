import { type Registry, registryOf } from '../../src/jobs/define.ts'
import { socialJobs } from '../../src/social/jobs.ts'
import type { Social } from '../../src/social/port.ts'

/** The jobs of the domains that ask other services: each domain adds its own. */
export const registry = (social: Social): Registry => registryOf([...socialJobs(social)])
