import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** Waits for the end of its standard input, which the system closes with the process that holds it. */
const WATCH = 'trap "" INT TERM HUP; while read -r _; do :; done; kill -9 -"$0" 2>/dev/null || kill -9 "$0" 2>/dev/null'

/** Ends a child, and its group if it leads one, once this process is gone, also where it was killed and could end nothing itself. */
export const endWithParent = (child: ChildProcess): void => {
  if (process.platform === 'win32' || child.pid === undefined) return
  const watch = spawn('/bin/sh', ['-c', WATCH, String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.once('exit', () => watch.kill('SIGKILL'))
  watch.once('error', () => {})
  watch.unref()
  const stdin = watch.stdin as Socket
  stdin.on('error', () => {})
  stdin.unref()
}
