import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../local/start/ports.ts'
import { register } from '../accounts/oauth/flow.ts'
import { installed } from '../support/installed.ts'
import { openBrowser } from '../support/playwright.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { newPerson } from './person.ts'

let stack: TestStack
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startTestStack(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.close()
})

const LINK = /http:\/\/\S+\/oauth\/authorize\?\S+/g

it('passes every authorization scenario of the conformance suite; a person clicks its links', async () => {
  const served = { url: stack.url, mailUrl: stack.mail.url }
  const port = await freePort()
  const { body } = await register(served, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const person = await newPerson(browser, served)
  const child = spawn(process.execPath, [
    installed('@modelcontextprotocol/conformance/dist/index.js'),
    'authorization',
    '--url',
    stack.url,
    '--client-id',
    body.client_id as string,
    '--resource',
    `${stack.url}/mcp`,
    '--port',
    String(port),
  ])
  let output = ''
  const followed = new Set<string>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      for (const [link] of output.slice(0, output.lastIndexOf('\n') + 1).matchAll(LINK)) {
        if (followed.has(link)) continue
        followed.add(link)
        person.letIn(link).catch((error: Error) => {
          output += error.message
          child.kill()
        })
      }
    })
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code, output).toBe(0)
  expect(followed.size, output).toBeGreaterThanOrEqual(1)
  expect(output).toMatch(/SUCCESS|passed/i)
  expect(output).not.toMatch(/FAILURE/)
  await person.close()
})
