#!/usr/bin/env node
// The command galley-server, from any folder. Plain JavaScript, because it starts before the Node that reads TypeScript.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const scripts = dirname(fileURLToPath(import.meta.url))
const child = spawnSync(process.execPath, [join(scripts, 'run.mjs'), 'server/main.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, INIT_CWD: process.cwd() },
})
process.exitCode = child.status ?? 1
