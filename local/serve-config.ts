import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { endWithParent } from './end-with-parent.ts'
import { ROOT } from './root.ts'

/** Ports of the sockets as workerd reports them on its control pipe. */
const listening = (child: ChildProcess, sockets: readonly string[], logFile: string): Promise<Record<string, number>> =>
  new Promise((resolve, reject) => {
    const ports: Record<string, number> = {}
    let text = ''
    const control = child.stdio[3] as Readable
    control.on('data', (chunk: Buffer) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const event = JSON.parse(line) as { event: string; socket?: string; port?: number }
        if (event.event === 'listen' && event.socket) ports[event.socket] = event.port ?? 0
      }
      if (sockets.every((name) => name in ports)) resolve(ports)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`workerd ended (${code}) before it listened:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)),
    )
  })

/** Resolves when a process has ended. */
export const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

/** Returns the file descriptor of a listening server's socket. */
const descriptorOf = (server: Server): number => (server as unknown as { _handle: { fd: number } })._handle.fd

/**
 * Starts workerd on a configuration; returns the process and the ports of the sockets named. Throws if it does not
 * start.
 *
 * A socket in `handedOn` replaces the address in the configuration. workerd inherits it, so that no other process can
 * take its port in between, and this process closes it.
 */
export const serveConfig = async (
  file: string,
  sockets: readonly string[],
  logFile: string,
  handedOn: Readonly<Record<string, Server>> = {},
): Promise<{ child: ChildProcess; ports: Record<string, number> }> => {
  const binary = join(ROOT, 'node_modules/workerd/bin/workerd')
  // workerd writes the log itself. Passing every line through this process would slow both down.
  const log = openSync(logFile, 'a')
  const handed = Object.entries(handedOn)
  const flags = ['--experimental', '--control-fd=3', ...handed.map(([name], at) => `--socket-fd=${name}=${at + 4}`)]
  const child = spawn(binary, ['serve', ...flags, file, 'config'], {
    stdio: ['ignore', log, log, 'pipe', ...handed.map(([, server]) => descriptorOf(server))],
  })
  closeSync(log)
  for (const [, server] of handed) server.close()
  endWithParent(child)
  return { child, ports: await listening(child, sockets, logFile) }
}
