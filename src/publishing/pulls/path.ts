/** Path to which hosts send the events of an integration's repository; its id follows. */
export const GIT_EVENTS_PATH = '/git/events'
/** Paths that are answered. The second one is that of webhooks which were added before there were other hosts. */
export const GIT_EVENTS_PATHS = [GIT_EVENTS_PATH, '/github/events'] as const
