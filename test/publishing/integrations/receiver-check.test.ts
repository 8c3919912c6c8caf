import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { startReceiver } from '../../../local/receiver/server.ts'
import { ROOT } from '../../../local/root.ts'
import { gradesOf } from '../../../src/publishing/target/receiver-check.ts'
import { newOwner } from '../../accounts/people/browser.ts'
import { connectReceiver, newProject, tell } from '../../support/client.ts'

const stack = inject('stack')

/** Returns a site whose owner is signed in, with a receiver of its own. */
const scene = async () => {
  const token = `tok-${randomBytes(8).toString('hex')}`
  const receiver = await startReceiver({ port: 0, token })
  const { api, person } = await newOwner(stack)
  const project = await newProject(api)
  const { signing_secret: secret } = await connectReceiver(api, project, receiver.url, token)
  const page = `/p/${project}/receiver`
  const pills = (text: string) => [...text.matchAll(/<\/i>(Right|Wrong|Not known)</g)].map(([, word]) => word)
  const url = `${receiver.url}/webhook`
  return { token, secret: String(secret), receiver, url, person, page, pills }
}

/** Runs the command on a receiver. Returns its exit code and what it printed. */
const command = (url: string, token: string, secret: string): Promise<[code: unknown, printed: string]> =>
  new Promise((resolve) => {
    const env = { ...process.env, RECEIVER_TOKEN: token, RECEIVER_SECRET: secret }
    const args = [join(ROOT, 'scripts/receiver-check.ts'), url]
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => resolve([error?.code ?? 0, stdout + stderr]))
  })

describe('the check of a receiver', () => {
  it('sends six test events and grades every answer as right; the receiver stores nothing, and the grades are shown once', async () => {
    const { receiver, url, token, secret, person, page, pills } = await scene()
    await tell(receiver.url, '/_control', { signing_secret: secret })
    expect((await person.get(page)).text).toContain(url)
    const checked = await person.post(page, {})
    expect(pills(checked.text)).toEqual(['Right', 'Right', 'Right', 'Right', 'Right'])
    expect(checked.text).toContain('5 of 5 right')
    expect(pills((await person.get(checked.url)).text)).toEqual([])
    const answer = (await (await fetch(`${receiver.url}/api/deliveries`)).json()) as {
      deliveries: { raw_body: string; signature: string }[]
    }
    expect(answer.deliveries.map(({ raw_body }) => JSON.parse(raw_body).test)).toEqual(Array(6).fill(true))
    expect(answer.deliveries.filter(({ signature }) => signature === 'invalid')).toHaveLength(2)
    expect(await (await fetch(`${receiver.url}/api/posts`)).json()).toMatchObject({ posts: [] })
    expect(await command(url, token, secret)).toEqual([0, expect.stringContaining('5 of 5 right')])
    await receiver.close()
  })

  it('reports a receiver that checks no signature, refuses everything, or is away', async () => {
    const { receiver, url, token, secret, person, page, pills } = await scene()
    const trusting = await person.post(page, {})
    expect(pills(trusting.text)).toEqual(['Right', 'Right', 'Right', 'Wrong', 'Wrong'])
    expect(trusting.text).toContain('answer 401 if it does not match')
    expect(await command(url, token, secret)).toEqual([1, expect.stringContaining('3 of 5 right')])
    const other = `whsec_${randomBytes(32).toString('base64')}`
    await tell(receiver.url, '/_control', { signing_secret: other })
    const refusing = await person.post(page, {})
    expect(pills(refusing.text)).toEqual(['Wrong', 'Wrong', 'Wrong', 'Not known', 'Not known'])
    expect(refusing.text).toContain('It refuses the good event too')
    await receiver.close()
    const away = await person.post(page, {})
    expect(pills(away.text)).toEqual(['Wrong', 'Not known', 'Not known', 'Not known', 'Not known'])
    expect(away.text).toContain('that the receiver runs')
  })

  it('is for sites with a receiver, some times a minute', async () => {
    const { api, person } = await newOwner(stack)
    const page = `/p/${await newProject(api)}/receiver`
    expect((await person.get(page)).status).toBe(404)
    const sent: number[] = []
    for (let n = 0; n < 11; n += 1) sent.push((await person.post(page, {}, { follow: false })).status)
    expect(sent).toEqual([...Array(10).fill(404), 303])
  })
})

it('the check shows how each answer is read', () => {
  const post = { url: 'https://x.example/a', remoteId: '17' }
  const grades = gradesOf({
    good: { kind: 'accepted', httpStatus: 200, ...post },
    duplicate: { kind: 'accepted', httpStatus: 200, isUnclear: true, notes: ['It has words of failure.'] },
    reordered: { kind: 'refused', reason: 'The receiver answered ok: false.', retryable: false, httpStatus: 200 },
    late: { kind: 'accepted', httpStatus: 200, isUnclear: true },
  })
  expect(grades.map(({ answered, verdict }) => [verdict, answered])).toEqual([
    ['right', expect.stringContaining('Read as done, with the post’s address https://x.example/a and its id 17.')],
    ['unknown', expect.stringMatching(/Read as unclear, with no address of the post. It has words/)],
    ['wrong', 'Read as refused: The receiver answered ok: false.'],
    ['wrong', expect.stringContaining('Read as unclear')],
    ['unknown', expect.stringContaining('not sent')],
  ])
  expect(grades[1]?.advice).toContain('without words of failure')
  expect(grades[3]?.advice).toContain('401')
})

it('an error does not count as a refusal, and a too busy receiver has no grade', () => {
  const good = { kind: 'accepted', httpStatus: 200 } as const
  const refused = (httpStatus: number) => ({ kind: 'refused', reason: '', retryable: true, httpStatus }) as const
  const grades = gradesOf({ good, duplicate: refused(429), reordered: good, late: refused(500), forged: refused(401) })
  expect(grades.map(({ verdict }) => verdict)).toEqual(['right', 'unknown', 'right', 'wrong', 'right'])
})
