import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'

const KILL_AFTER_MS = 4000

/**
 * Runs as a worker thread: ends the process when its standard input closes, which happens when the parent dies.
 *
 * It has a thread of its own because the embedded engine blocks the main one while a statement runs. It is plain JavaScript
 * because tsx reads TypeScript in the main thread only.
 */
const watchParent = () => {
  const stdin = fstatSync(0)
  // A terminal or /dev/null does not show if the parent still runs.
  if (!stdin.isFIFO() && !stdin.isSocket()) return
  const socket = new Socket({ fd: 0, readable: true, writable: false })
  const end = () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS)
  }
  socket.on('error', () => undefined)
  socket.once('close', end)
  socket.resume()
}

watchParent()
