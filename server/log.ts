import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import { ServerFault } from './fault.ts'
import { placesIn } from './places.ts'

const MAX_LOG_BYTES = 64 * 1024 * 1024

/** Moves a large log aside, in place of the one before. The Workers go on writing to the emptied file. */
export const turnLog = (file: string, maxBytes = MAX_LOG_BYTES): void => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < maxBytes) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}

/** Prints the end of the Workers' log, and with `follow` what comes after it. */
export const printLog = (data: string, { lines, follow }: { lines: number; follow: boolean }): Promise<void> => {
  const { log } = placesIn(data)
  if (!existsSync(log)) throw new ServerFault(`There is no ${log}.`, 'The service has not run yet.')
  return new Promise((resolve, reject) => {
    const tail = spawn('tail', ['-n', String(lines), ...(follow ? ['-F'] : []), log], { stdio: 'inherit' })
    tail.once('error', reject)
    tail.once('exit', () => resolve())
  })
}
