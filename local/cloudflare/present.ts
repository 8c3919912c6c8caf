import type { Deployment, Script, Version } from './account.ts'

/** Returns a version as the API shows it. */
export const versionJson = (version: Version) => ({
  id: version.id,
  number: version.number,
  annotations: version.annotations,
  metadata: { created_on: version.createdAt, modified_on: version.createdAt, source: 'wrangler', author_email: '' },
  startup_time_ms: 5,
  resources: {
    script: { etag: version.id.replaceAll('-', ''), handlers: ['fetch'], last_deployed_from: 'wrangler' },
    script_runtime: {
      compatibility_date: version.compatibilityDate,
      compatibility_flags: version.compatibilityFlags,
    },
    // A secret's text never leaves Cloudflare.
    bindings: version.bindings.map(({ text, ...rest }) => (rest.type === 'secret_text' ? rest : { ...rest, text })),
  },
})

export const deploymentJson = (deployment: Deployment) => ({
  id: deployment.id,
  source: 'wrangler',
  strategy: 'percentage',
  author_email: '',
  created_on: deployment.createdAt,
  annotations: deployment.annotations,
  versions: deployment.versions,
})

/** Returns what wrangler reads before it deploys: if the Worker exists, and who deployed it last. */
export const serviceJson = (script: Script) => ({
  id: script.name,
  default_environment: {
    environment: 'production',
    script: { id: script.name, tag: script.name, tags: script.settings.tags ?? null, last_deployed_from: 'wrangler' },
  },
  environments: [{ environment: 'production' }],
})
