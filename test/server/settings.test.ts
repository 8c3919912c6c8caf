import { expect, it } from 'vitest'
import { ServerFault } from '../../server/fault.ts'
import { settingsIn, settingsText } from '../../server/settings.ts'

const GIVEN = {
  PUBLIC_URL: 'https://galley.example/',
  OWNER_EMAIL: 'jo@example.com',
  DATABASE_URL: 'postgresql:///galley?host=/var/run/postgresql&user=galley',
}

const faultOf = (change: Record<string, string>): string => {
  try {
    settingsIn(settingsText({ ...GIVEN, ...change }), 'galley.env')
    return ''
  } catch (error) {
    return error instanceof ServerFault ? error.message : String(error)
  }
}

it('reads what it wrote, with a sealing key of its own', () => {
  const [one, other] = [settingsText(GIVEN), settingsText(GIVEN)].map((text) => settingsIn(text, 'galley.env'))
  expect(one).toMatchObject({
    PUBLIC_URL: 'https://galley.example',
    DATABASE_URL: GIVEN.DATABASE_URL,
    REDIS_URL: 'redis://127.0.0.1:6379/0',
  })
  expect(one?.SECRETS_KEYS).toMatch(/^k1:.{44}$/)
  expect(one?.SECRETS_KEYS).not.toBe(other?.SECRETS_KEYS)
})

it('keeps a value with spaces and quotation marks of its own', () => {
  const text = settingsText({ ...GIVEN, MAIL_FROM: 'Galley <mail@galley.example>' })
  expect(settingsIn(text, 'galley.env').MAIL_FROM).toBe('Galley <mail@galley.example>')
})

it.each([
  ['PUBLIC_URL', 'galley.example'],
  ['PUBLIC_URL', 'https://galley.example/blog'],
  ['OWNER_EMAIL', 'jo'],
  ['DATABASE_URL', 'mysql://secret@host/name'],
  ['REDIS_URL', 'http://secret@host'],
  ['LISTEN', '8787'],
  ['LISTEN', '127.0.0.1:87870'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy'],
  ['SMTP_URL', 'mail.example'],
  ['ALLOW_PRIVATE_HOSTS', 'yes'],
  ['SECRETS_KEYS', 'k1:secret'],
  ['WRITER_PROVIDER', 'workers-ai'],
])('names %s if it is wrong, and what is allowed, without the value', (name, value) => {
  const message = faultOf({ [name]: value, MAIL_FROM: 'mail@galley.example' })
  expect(message).toContain(`${name} must be `)
  expect(message).not.toContain('secret')
})

it('names what is missing and what it does not know', () => {
  expect(faultOf({ OWNER_EMAIL: '', SMTP_URL: 'smtp://mail.example' })).toMatch(
    /OWNER_EMAIL is missing.*\n.*MAIL_FROM is missing/s,
  )
  expect(() => settingsIn(`${settingsText(GIVEN)}\nCOLOUR=red\n`, 'galley.env')).toThrow('COLOUR is no setting.')
})
