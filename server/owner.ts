import { sql } from 'drizzle-orm'
import { linkFor } from '../src/accounts/people/password.ts'
import { createAccount, createKey } from '../src/platform/accounts/admin.ts'
import { readSettings } from './settings.ts'
import { openStore } from './store.ts'

/** Sites that the first account may have. The operator changes it with `admin account set`. */
const FIRST_ACCOUNT = { plan: 'accelerator', projects: 50 } as const

/**
 * Creates the owner's account if it does not exist. Returns a link to choose a password, and a key if one is wanted.
 *
 * The link works once, within an hour. So the first person can sign in before mail is set up.
 */
export const admitOwner = async (
  data: string,
  wantsKey: boolean,
): Promise<{ link: string; key: string | undefined }> => {
  const { DATABASE_URL: url, OWNER_EMAIL: email, PUBLIC_URL: publicUrl } = readSettings(data)
  const database = await openStore(url)
  try {
    const [known] = await database.run(sql`select id from accounts where lower(email) = lower(${email})`)
    if (!known) await createAccount(database.run, email, FIRST_ACCOUNT)
    const key = wantsKey
      ? await createKey(database.run, email, { name: 'First key', scopes: ['read', 'write'] })
      : undefined
    return { link: await linkFor(database.run, publicUrl, email), key: key?.key }
  } finally {
    await database.close()
  }
}
