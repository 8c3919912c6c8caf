/** Services besides publishing targets that a project can be connected to, as lists name them. */
export const CONNECTED_PLATFORMS = ['Google Search Console'] as const
