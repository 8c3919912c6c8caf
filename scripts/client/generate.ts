import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { CLIENT, clientDescription, clientMark } from './description.ts'

/** Returns the text of the client, made by the generator. Throws if the generator fails. */
export const generatedClient = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-client-'))
  try {
    const description = clientDescription()
    writeFileSync(join(folder, 'description.json'), JSON.stringify(description))
    const { status } = spawnSync('bash', [join(ROOT, 'scripts/generate-client.sh'), folder], { stdio: 'inherit' })
    if (status !== 0) throw new Error('The client could not be generated.')
    const text = readFileSync(join(folder, 'client.ts'), 'utf8')
    // The generated code ends with a client that has no address. `createGalley` makes ours, and bundles without the
    // other are smaller.
    const [calls = ''] = text.split('\nexport const client = ')
    return `${clientMark(description)}${calls}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** True if the committed client was generated from the operations as they are. */
export const isClientCurrent = (): boolean => {
  const mark = clientMark(clientDescription())
  try {
    return readFileSync(join(ROOT, CLIENT), 'utf8').startsWith(mark)
  } catch {
    return false
  }
}
