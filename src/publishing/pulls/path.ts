/** Path to which GitHub sends the events of an integration's repository; its id follows. */
export const GITHUB_EVENTS_PATH = '/github/events'
