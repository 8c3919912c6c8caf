/** Returns the names of our plugin on a site, made from the service's name (letters, digits and hyphens). */
export const pluginNames = (serviceName: string) => {
  const slug = serviceName.toLowerCase()
  return {
    /** Folder, text domain and settings page. */
    slug,
    /** Beginning of functions, options and meta keys in PHP. */
    identifier: slug.replaceAll('-', '_'),
    namespace: `${slug}/v1`,
    keyHeader: `X-${serviceName}-Key`,
  }
}
