import { fileURLToPath } from 'node:url'

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
