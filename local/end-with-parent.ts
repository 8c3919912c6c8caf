import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Waits for the end of its standard input, which the system closes when the parent process ends. Then kills the child.
 */
const WATCH = 'trap "" INT TERM HUP; while read -r _; do :; done; kill -9 -"$0" 2>/dev/null || kill -9 "$0" 2>/dev/null'

/** Ends a child, and its group if it leads one, when this process ends. Works even if this process is killed. */
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
