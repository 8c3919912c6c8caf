// Loaded before a TypeScript file where Node itself cannot read one (before 22.18 and 23.6).
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
