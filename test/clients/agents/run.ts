import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Pattern of the link on which a person permits a client. A terminal may get it twice: as the link, and as its text.
 */
const LINK = /https?:\/\/[\w.:]+\/oauth\/authorize\?[\w%&=.+~-]+/

type Running = { env: NodeJS.ProcessEnv; cwd: string }

/**
 * Runs a command to its end and returns its output. `heard` gets all output so far; if it fails, the command is ended.
 */
export const run = async (
  command: string,
  args: string[],
  { env, cwd }: Running,
  heard?: (text: string) => Promise<void>,
) => {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  let text = ''
  let failure: Error | undefined
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      printed[name] += chunk
      text += chunk
      heard?.(text).catch((error: Error) => {
        failure = error
        child.kill('SIGKILL')
      })
    })
  const [code] = (await once(child, 'close')) as [number | null]
  if (failure) throw failure
  return { code, text, ...printed }
}

/** Runs a command that must succeed. */
export const succeed = async (command: string, args: string[], running: Running): Promise<string> => {
  const { code, text, stdout } = await run(command, args, running)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${code} ${text}`)
  return stdout
}

/** Runs a client's own command to sign in. The person follows the link that it prints. */
export const signIn = async (
  command: string,
  args: string[],
  running: Running,
  letIn: (link: string) => Promise<void>,
): Promise<void> => {
  let letting: Promise<void> | undefined
  const { code, text } = await run(command, args, running, async (heard) => {
    const link = LINK.exec(heard)?.[0]
    if (link === undefined || heard.endsWith(link)) return
    letting ??= letIn(link)
    await letting
  })
  if (code !== 0 || letting === undefined) throw new Error(`${command} ${args.join(' ')}: ${code} ${text}`)
  // The command may end before the person has seen the page that says so.
  await letting
}
