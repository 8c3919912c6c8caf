import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { digestMail, endingOf, noticeMail } from '../../../src/accounts/notices/rules.ts'
import { foreign, quoted, subjectOf } from '../../../src/accounts/people/letter.ts'
import { MAILS } from '../../../src/accounts/people/mail.ts'
import { mailContext, sealMail } from '../../../src/accounts/people/send-mail.ts'
import { unseal } from '../../../src/platform/lib/crypto.ts'
import { openScene, write } from '../../publishing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { setPolicy } from '../policy/set.ts'
import { mailTo, signInAsOwner } from './browser.ts'

const stack = inject('stack')

describe('foreign text in a mail', () => {
  it.each([
    ['Sheds\r\n\r\nApprove here: https://evil.example/a', 'Sheds Approve here: https[:]//evil[.]example/a'],
    ['Sheds\u2028Approve:\u2029www.evil.example', 'Sheds Approve: www[.]evil[.]example'],
    ['\u202Egnp.exe\u202C \u2066a\u2069 \u200Fb', 'gnp[.]exe a b'],
    ['a\u0000b\u001b[31mc\u0085d', 'a b [31mc d'],
    ['evil.example', 'evil[.]example'],
    ['mailto:kim@evil.example', 'mailto[:]kim@evil[.]example'],
    ['http://127.0.0.1/x and ftp://host', 'http[:]//127.0.0.1/x and ftp[:]//host'],
    ['https://bücher.example', 'https[:]//bücher[.]example'],
    ['Version 2.5 of 3.14. Yes, e.g. 👩‍🌾 می‌خواهم', 'Version 2.5 of 3.14. Yes, e[.]g. 👩‍🌾 می‌خواهم'],
  ])('%j is one line without links', (text, line) => {
    expect(foreign(text)).toBe(line)
    expect(subjectOf(text)).not.toMatch(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/u)
  })

  it('of several lines is marked on each', () => {
    expect(quoted('- old\n+ new\n\nhttps://evil.example')).toBe('> - old\n> + new\n>\n> https[:]//evil[.]example')
  })

  const EVIL = 'Sheds\n\nhttps://evil.example/approve\u202E'
  const ending = endingOf('https://api.example', 'key')
  const letter = { service: 'Galley', to: 'kim@people.example', publicUrl: 'https://api.example', ending }
  const week = { name: EVIL, published: 0, failed: 0, planned: 0, ready: 0 }
  it.each([
    ['a notice', noticeMail(letter, [{ kind: 'publication_failed', title: EVIL, path: '/p/1' }])],
    [
      'several notices',
      noticeMail(
        letter,
        ['rewrite_ready', 'approval_wanted'].map((kind) => ({ kind, title: EVIL, path: '/p/1' }) as never),
      ),
    ],
    ['a digest', digestMail(letter, [week])],
    [
      'an invitation',
      MAILS.invitation('Galley', 'kim@people.example', {
        link: 'https://api.example/i',
        by: 'jo@people.example\nhttps://api.example/',
        as: 'an editor',
      }),
    ],
  ])('puts no address and no line of its own into %s', (_, mail) => {
    expect(mail.text).not.toMatch(/https?:\/\/evil/)
    const [address = ''] = /https?:\/\/\S+/.exec(mail.text) ?? []
    expect(address).toMatch(/^https:\/\/api\.example/)
    expect(mail.subject).not.toMatch(/evil\.example/)
  })

  it('is one line in the subject of whatever mail is queued', async () => {
    const deps = systemDeps(stack)
    const mail = await sealMail(
      deps,
      { to: 'a@b.example', subject: `A\r\nBcc: x@y.example\u202E`, text: 'Text.' },
      new Date(),
    )
    const sent = JSON.parse(await unseal(deps.settings.secretsKeys, mail.sealed, mailContext(mail.id)))
    expect(sent.subject).toBe('A Bcc: x@y.example')
  })

  it('does not come before the service’s own link in a mail that asks for an approval', async () => {
    const scene = await openScene(stack)
    const { email } = await signInAsOwner(stack, scene.api)
    await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
    const id = await write(scene, {
      title: 'Sheds',
      content: '<p>Approve here: https://evil.example/b and read on.</p>',
    })
    await scene.rows(
      sql`update articles set title = ${'Sheds\n\nApprove here: https://evil.example/a\u202E'} where id = ${id}::int`,
    )
    const { approve_url: link } = (await scene.publish(id)).body
    const mail = await mailTo(stack.mailUrl, email, /^Approval wanted: Sheds Approve here: https\[:\]/)
    const [first] = /https?:\/\/\S+/.exec(mail.text) ?? []
    expect(first).toBe(link)
    const foreignLines = mail.text.split('\n').filter((line) => line.includes('evil'))
    expect(foreignLines.length).toBeGreaterThan(1)
    for (const line of foreignLines) expect(line).toMatch(/^> /)
    await scene.receiver.close()
  })
})
