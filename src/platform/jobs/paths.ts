/** Path of the executor below PUBLIC_URL; QStash signs for the whole address. */
export const EXECUTOR_PATH = '/jobs/run'
