import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isPluginKey } from '../../../src/providers/cms/wordpress/connect.ts'
import { need, php, realSite } from './site.ts'

const site = realSite()
const PAGE = `${site.url}/wp-admin/options-general.php?page=galley`

// The other tests know the first key.
afterAll(() =>
  php(need('WORDPRESS_DIR'), "update_option('galley_key_hash', hash('sha256', $argv[1]), false);", site.pluginKey),
)

const login = async (user: string, password: string): Promise<string> => {
  const response = await fetch(`${site.url}/wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP+Cookie+check' },
    body: new URLSearchParams({ log: user, pwd: password, testcookie: '1' }),
  })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const open = async (cookie: string, form?: Record<string, string>, page = PAGE) => {
  const response = await fetch(page, {
    headers: { cookie },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  })
  return { status: response.status, text: await response.text() }
}

const status = async (key: string) =>
  (await fetch(`${site.url}/wp-json/galley/v1/status`, { headers: { 'x-galley-key': key } })).status

test('the settings page makes a key, shows it once, and ends the earlier one', async () => {
  const admin = await login('admin', 'AdminPass123!')
  const page = await open(admin)
  expect(page.text).toContain('There is a key.')
  expect(page.text).not.toContain('wpk_')
  const nonce = /name="_wpnonce" value="(\w+)"/.exec(page.text)?.[1] ?? ''
  expect((await open(admin, { galley_action: 'key' })).status).toBe(403)
  expect(await status(site.pluginKey)).toBe(200)
  const made = await open(admin, { galley_action: 'key', _wpnonce: nonce })
  const key = /value="(wpk_\w+)"/.exec(made.text)?.[1] ?? ''
  expect(isPluginKey(key)).toBe(true)
  expect([await status(site.pluginKey), await status(key)]).toEqual([401, 200])
  const after = await open(admin)
  expect(after.text).not.toContain(key)
  expect(after.text).toContain('Connected: node')
})

/** Returns the token that WordPress asks of a form of ours from the user a cookie signs in. */
const nonceFor = (user: string, cookie: string): string => {
  const [name, signedIn] = /wordpress_logged_in_\w+=([^;]+)/.exec(cookie) ?? []
  const code =
    "$_COOKIE[LOGGED_IN_COOKIE] = $argv[2]; wp_set_current_user(get_user_by('login', $argv[1])->ID); echo wp_create_nonce('galley_settings');"
  return name === undefined ? '' : php(need('WORDPRESS_DIR'), code, user, decodeURIComponent(signedIn ?? ''))
}

test('only an administrator sees or changes it', async () => {
  const author = await login('author', 'Pass-author-123')
  expect((await open(author)).status).toBe(403)
  // Authors may open the profile page, so only the plugin itself protects the key there.
  const profile = `${site.url}/wp-admin/profile.php`
  php(need('WORDPRESS_DIR'), "update_option('galley_key_hash', hash('sha256', $argv[1]), false);", site.pluginKey)
  const form = { galley_action: 'key', _wpnonce: nonceFor('author', author) }
  const refused = await open(author, form, profile)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('You may not change these settings.')])
  expect(await status(site.pluginKey)).toBe(200)
})

test('uninstalling leaves posts and nothing of the plugin', async () => {
  php(need('WORDPRESS_DIR'), "update_option('galley_key_hash', hash('sha256', $argv[1]), false);", site.pluginKey)
  const article = await fetch(`${site.url}/wp-json/galley/v1/articles/uninstalled`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-galley-key': site.pluginKey },
    body: JSON.stringify({ title: 'Stays', slug: 'stays', content: '<p>x</p>', status: 'publish' }),
  })
  expect(article.status).toBe(201)
  const copy = mkdtempSync(join(tmpdir(), 'galley-uninstall-'))
  try {
    for (const part of ['site', 'db']) cpSync(join(need('WORDPRESS_DIR'), part), join(copy, part), { recursive: true })
    const left =
      "$wpdb->get_var(\"select count(*) from $wpdb->options where option_name like '%galley%' and option_name not in ('active_plugins', 'uninstall_plugins')\") . '/' . $wpdb->get_var(\"select count(*) from $wpdb->postmeta where meta_key like '%galley%' and meta_key <> '_galley_created'\") . '/' . $wpdb->get_var(\"select count(*) from $wpdb->posts where post_type = 'post'\")"
    const created = '$wpdb->get_var("select count(*) from $wpdb->postmeta where meta_key = \'_galley_created\'")'
    const [options, marks, posts] = php(copy, `echo ${left};`).split('/').map(Number)
    expect(options).toBeGreaterThan(0)
    expect(marks).toBeGreaterThan(0)
    expect(posts).toBeGreaterThan(0)
    const after = php(
      copy,
      `define('WP_UNINSTALL_PLUGIN', 'galley/galley.php'); require '${copy}/site/wp-content/plugins/galley/uninstall.php'; echo ${left};`,
    )
    expect(after.split('/').map(Number)).toEqual([0, 0, posts])
    expect(Number(php(copy, `echo ${created};`))).toBeGreaterThan(0)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
