import type { Site } from '../../providers/wordpress/scene.ts'

/** A variable that scripts/cms/wordpress.sh gives. */
export const need = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run npm run test:cms`)
  return value
}

/** The real WordPress that scripts/cms/wordpress.sh started. */
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
