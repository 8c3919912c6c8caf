/** Returns settings as the lines of a file for `wrangler dev --env-file`. */
export const envFile = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
