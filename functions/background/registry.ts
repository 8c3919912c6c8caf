import { type Registry, registryOf } from '../../src/jobs/define.ts'
import { searchJobs } from '../../src/search/jobs.ts'
import type { SearchConsole } from '../../src/search/port.ts'
import { socialJobs } from '../../src/social/jobs.ts'
import type { Social } from '../../src/social/port.ts'

/** The jobs of the domains that ask other services: each domain adds its own. */
export const registry = (social: Social, google: SearchConsole): Registry =>
  registryOf([...socialJobs(social), ...searchJobs(google)])
