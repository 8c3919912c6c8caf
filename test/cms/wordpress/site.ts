import { execFileSync } from 'node:child_process'
import type { Site } from '../../providers/cms/wordpress/scene.ts'

/** Returns a variable that scripts/cms/wordpress.sh gives. */
export const need = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run npm run test:cms`)
  return value
}

/** Returns the real WordPress that scripts/cms/wordpress.sh started. */
export const realSite = (): Site => ({
  url: need('WORDPRESS_URL'),
  pluginKey: need('WORDPRESS_PLUGIN_KEY'),
  passwords: {
    admin: need('WORDPRESS_PASSWORD_ADMIN'),
    author: need('WORDPRESS_PASSWORD_AUTHOR'),
    contributor: need('WORDPRESS_PASSWORD_CONTRIBUTOR'),
    subscriber: need('WORDPRESS_PASSWORD_SUBSCRIBER'),
  },
})

const PHP_MS = 60_000
const MAX_PRINTED = 64 * 1024 * 1024

const runPhp = (folder: string, code: string, args: readonly string[], input: string): string =>
  execFileSync(
    'php',
    ['-r', `$_SERVER['HTTP_HOST'] = 'x'; require '${folder}/site/wp-load.php'; global $wpdb; ${code}`, '--', ...args],
    { encoding: 'utf8', input, timeout: PHP_MS, maxBuffer: MAX_PRINTED },
  )

/** Runs PHP within a copy of WordPress. */
export const php = (folder: string, code: string, ...args: string[]): string => runPhp(folder, code, args, '')

/** Runs PHP within a copy of WordPress that reads JSON from its standard input. */
export const phpWith = (folder: string, code: string, input: unknown): string =>
  runPhp(folder, code, [], JSON.stringify(input))
