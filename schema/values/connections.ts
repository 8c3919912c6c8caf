/** Services that a project can be connected to, other than publishing targets, by their names in lists. */
export const CONNECTED_PLATFORMS = ['Google Search Console'] as const
