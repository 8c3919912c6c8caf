import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { type Change, changed } from './changed.ts'

/** What of better-auth's endpoints is called (`src/people/auth.ts`); the others would bring sign-in by social networks along. */
const NOT_CALLED = [
  'signInSocial: signInSocial()',
  'callbackOAuth',
  'verifyPassword',
  'sendVerificationEmail',
  'changeEmail',
  'changePassword',
  'setPassword',
  'updateSession: updateSession()',
  'updateUser: updateUser()',
  'deleteUser',
  'requestPasswordResetCallback',
  'revokeSessions',
  'linkSocialAccount',
  'listUserAccounts',
  'deleteUserCallback',
  'unlinkAccount',
  'refreshToken',
  'getAccessToken',
  'accountInfo',
  'ok',
  'error',
]

const lineOf = (endpoint: string): RegExp => new RegExp(`^\\t\\t${endpoint.replace(/[()]/g, '\\$&')},?\\n`, 'm')

/** Changes by the end of a file's path below better-auth's `dist`. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'api/index.mjs': NOT_CALLED.map((endpoint) => ({
    what: `the endpoint ${endpoint}`,
    pattern: lineOf(endpoint),
    by: '',
  })),
  'api/routes/sign-in.mjs': [
    {
      what: 'the schema of what is asked of a social network',
      pattern: /^const socialSignInBodySchema = z\.object\(\{\n[\s\S]*?\n\}\);\n/m,
      by: 'const socialSignInBodySchema = undefined;\n',
    },
  ],
  'auth/base.mjs': [
    {
      what: 'the router of its own paths: endpoints are called by pages of ours',
      pattern: 'const { handler } = router(handlerCtx, options);',
      by: `const handler = () => { throw new Error('better-auth has no paths here') };`,
    },
  ],
  'context/create-context.mjs': [
    {
      what: 'social networks',
      pattern: 'import { socialProviders } from "@better-auth/core/social-providers";',
      by: 'const socialProviders = {};',
    },
    {
      what: 'telemetry, which is switched off',
      pattern: 'import { createTelemetry } from "@better-auth/telemetry";',
      by: 'const createTelemetry = async () => ({ publish: async () => {} });',
    },
  ],
  'crypto/jwt.mjs': [
    {
      what: 'encrypted cookies, which no setting of ours asks for: such a one cannot be read',
      pattern: /^const info = new Uint8Array[\s\S]*?(?=^export )/m,
      by: `const symmetricEncodeJWT = async () => { throw new Error('no cookie is encrypted') };
const symmetricDecodeJWT = async () => null;
`,
    },
  ],
  'db/adapter-base.mjs': [
    {
      what: 'the database in memory',
      pattern: 'const { memoryAdapter } = await import("@better-auth/memory-adapter");',
      by: `const memoryAdapter = () => { throw new Error('no database was given') };`,
    },
  ],
}

/** Leaves out of bundles what of better-auth no page calls. Throws where it is built in another way. */
export const leanSignIn: Plugin = {
  name: 'lean-sign-in',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]better-auth[\\/]dist[\\/].*\.mjs$/ }, async ({ path }) => {
      const file = path.split(/[\\/]better-auth[\\/]dist[\\/]/).at(-1) ?? ''
      const changes = CHANGES[file.replaceAll('\\', '/')]
      if (changes === undefined) return undefined
      return {
        contents: changed(await readFile(path, 'utf8'), changes, `better-auth's ${file}`, 'local/lean-sign-in.ts'),
      }
    })
  },
}
